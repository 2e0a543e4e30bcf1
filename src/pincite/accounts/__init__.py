"""Sign people in, and decide what each of them may see and do."""
