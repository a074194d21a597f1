"""Where accepted studies are kept."""
