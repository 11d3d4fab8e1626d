#!/bin/bash
# A campaign by ssh: ./ssh.sh /shared/corpus host-1 host-2 host-3
# All hosts have the project in the current directory, and can access the corpus.
corpus=${1:?the corpus: a directory that all hosts see, or redis://host:6379}
shift
shard=0
seed=$(date +%s)
for host in "$@"; do
  shard=$((shard + 1))
  ssh "$host" "cd '$PWD' && cargo forall run --for ${CAMPAIGN_TIME:-1h} --seed $seed --shard $shard/$# --corpus '$corpus'" >"$host.log" 2>&1 &
done
wait
cargo forall corpus stats "$corpus"
