"""Copy a whole server into one file while it runs, check such a file, and restore it."""
