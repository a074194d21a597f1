"""What tests import: plain recomputations, studies, files, a server and a screen."""
