"""The formulas: one file each, in folders by topic. They are read as mathematics."""
