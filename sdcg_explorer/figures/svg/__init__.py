"""Figures as HTML and SVG that a browser draws by itself: a part of a page, of any width."""
