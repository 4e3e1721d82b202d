"""Context parallelism deals the tokens of a sequence out to `c` ranks, so that contexts fit which no
device could hold. Only attention needs the tokens of other ranks: these derivations count the keys and
values that go round a ring, through an all-gather or through an all-to-all, say when they hide
behind the compute, and show how causal attention is shared out evenly."""
