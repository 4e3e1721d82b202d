"""Shares of a model's parameters."""

from workings.vocabulary.concept import share

LEFT_OUT = share("left_out", "share of the parameters left out", "x")
