"""The keys of PostgreSQL's advisory locks. Two kinds of work with the same key would wait for each other.

Every version of the program uses the same numbers: servers of two versions may run side by side.
"""

MIGRATION = 5_046_483
CREDITS = 5_046_484
GRAPHS = 5_046_485
SEGMENTS = 5_046_486
CLEANUP = 5_046_490
DELETIONS = 5_046_491
MOVE = 5_046_492
OWNERS = 5_046_493
