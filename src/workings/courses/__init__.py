"""A handout's questions in the formats that systems for courses import."""
