#!/bin/bash
# A campaign as a job array. Build the tests once, then submit:
#
#     cargo forall archive tests
#     sbatch --array=0-63 slurm.sh /shared/corpus
#
# Each task is a shard. A preempted task returns to the queue and continues where it stopped: the corpus records its
# progress and the time it has used. So --budget, the total time of all tasks, counts each hour once, and a requeued
# task runs for the rest of its share.
#SBATCH --job-name=forall
#SBATCH --cpus-per-task=1
#SBATCH --time=01:10:00
#SBATCH --requeue
#SBATCH --output=forall-%A-%a.log
#SBATCH --open-mode=append

corpus=${1:?the corpus: a directory that all nodes see, or redis://host:6379}

# Failures wait here while the corpus is unreachable: on a disk that outlives the task.
export FORALL_STORE=$PWD/finds/$SLURM_ARRAY_TASK_ID
mkdir -p "$FORALL_STORE"

# An hour for each task, by default. Nodes need the archive and the program `forall`, and no toolchain.
exec forall run --archive "${CAMPAIGN_TESTS:-tests}" --budget "${CAMPAIGN_BUDGET:-${SLURM_ARRAY_TASK_COUNT}h}" \
  --threads "${SLURM_CPUS_PER_TASK:-1}" --shard auto --corpus "$corpus"
