"""The tasks of the yardstick, and what they share."""
