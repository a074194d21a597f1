"""The front door for notebooks: what `import sdcg_explorer as sx` gives (docs/notebook.md)."""
