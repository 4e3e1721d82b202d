"""Predicted step times and memory against published ones: reading tables, predicting, recording."""
