"""Launch arguments of Megatron-LM: read from shell, YAML, JSON or Python, and written again."""
