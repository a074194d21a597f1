"""Before the app: gate, protection, owners, workers, memory."""
