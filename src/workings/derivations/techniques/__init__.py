"""What lowers memory, or the batch from which training is compute-bound."""
