"""What a node reaches, measured there."""
