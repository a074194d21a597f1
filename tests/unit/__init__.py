"""What needs neither screen nor process: the mathematics, the readers, the store, the texts."""
