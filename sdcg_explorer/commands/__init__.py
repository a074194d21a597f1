"""`sdcg`: one file per command."""
