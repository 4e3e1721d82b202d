"""Bytes that devices hold."""

from workings.units import BYTE
from workings.vocabulary.concept import Concept, Domain

STATE = Concept("state", "model state: weights, gradients, moments", "S", BYTE, Domain.NONNEGATIVE)
ACTIVATIONS = Concept("activations", "activations saved for backward", "A", BYTE, Domain.NONNEGATIVE)
WORKING = Concept("working", "gathered weights and one gradient", "G", BYTE, Domain.NONNEGATIVE)
DEVICE_MEMORY = Concept("memory", "memory of one device", "M_max", BYTE, supplied="hardware.memory")
KEPT_INPUT = Concept("kept_input", "bytes of a segment's input", "c", BYTE, kin="block-input")
KEPT_BLOCK = Concept("kept_block", "bytes one block saves", "e", BYTE, kin="block-saved")
