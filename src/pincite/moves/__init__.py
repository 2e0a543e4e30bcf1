"""Move a whole store from one database to another while servers and workers go on."""
