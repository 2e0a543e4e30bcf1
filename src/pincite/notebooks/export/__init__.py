"""Export notebooks, highlights and comments as files."""
