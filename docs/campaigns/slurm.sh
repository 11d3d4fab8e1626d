#!/bin/bash
# A campaign as a job array: sbatch --array=0-63 slurm.sh /shared/corpus
# Each task is a shard. A task that is preempted is put back into the queue, and goes on with the disk of its directory.
#SBATCH --job-name=forall
#SBATCH --cpus-per-task=1
#SBATCH --time=01:10:00
#SBATCH --requeue
#SBATCH --output=forall-%A-%a.log

corpus=${1:?the corpus: a directory that all nodes see, or redis://host:6379}

# Where this task's finds wait if the corpus is away: on a disk that outlives the task.
export FORALL_STORE=$PWD/finds/$SLURM_ARRAY_TASK_ID
mkdir -p "$FORALL_STORE"

# The tests are built once, before the array is submitted (`cargo forall list`), in a directory that all nodes see.
exec cargo forall run --for "${CAMPAIGN_TIME:-1h}" --threads "${SLURM_CPUS_PER_TASK:-1}" --shard auto --corpus "$corpus"
