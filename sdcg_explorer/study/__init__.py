"""What was observed: the Study, its block of arrays, warnings; reading/ and store/ are apart."""
