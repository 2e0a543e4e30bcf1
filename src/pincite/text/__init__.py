"""What the words of a text are, for every part of the program alike."""
