"""How long commands take to start, as ratios to an empty Python."""

from __future__ import annotations

from _ratio import python, ratio, workings

if __name__ == "__main__":
    nothing = python("pass")
    ratio("workings --help", workings("--help"), nothing, 6)
    ratio("workings show fsdp-memory", workings("show", "fsdp-memory"), nothing, 10)
    value = workings("value", "fsdp-memory", "--at", "xxl-220b", "--set", "N_fsdp=156")
    ratio("workings value fsdp-memory", value, nothing, 10)
    ratio("workings work zero-3-state", workings("work", "zero-3-state", "--at", "gpt3-512"), nothing, 10)
    ratio("workings list (everything)", workings("list"), nothing, 40)
    ratio("workings list --topic pipeline", workings("list", "--topic", "pipeline"), nothing, 20)
