"""Ring collectives: bytes one rank sends."""
