"""Language models: providers, clients, retries, and errors that a person can act on."""
