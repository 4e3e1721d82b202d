"""What pages reckon with and no formula of the catalogue takes: only for reading others' formulas."""

from workings.units import BYTE
from workings.vocabulary.concept import Concept

WEIGHT_BYTES = Concept("weight_bytes", "bytes of all weights as they are served", "S_w", BYTE)
TOKEN_CACHE = Concept("token_cache", "bytes of the cache of one token", "S_kv", BYTE)
SEQUENCE_CACHE = Concept("sequence_cache", "bytes of the cache of one sequence", "S_s", BYTE)
