"""sDCG Explorer: what each query and session of an interactive search study was worth."""
