"""The documentation as one site: `make docs` builds it from these pages, links checked."""

import tomllib
from pathlib import Path

PROJECT = tomllib.loads(
    (Path(__file__).resolve().parents[1] / "pyproject.toml").read_text(encoding="utf-8")
)["project"]

project = "sDCG Explorer"
author = PROJECT["authors"][0]["name"]
project_copyright = author
release = version = PROJECT["version"]
language = "en"

extensions = ["myst_parser", "sphinx.ext.autodoc", "numpydoc", "docs.extension"]
exclude_patterns = ["_build"]
repository = PROJECT["urls"]["Homepage"]

myst_enable_extensions = ["dollarmath"]
myst_heading_anchors = 4  # as GitHub spells them, so that one link serves both
myst_url_schemes = ["http", "https", "mailto"]

autodoc_member_order = "bysource"
autodoc_typehints = "none"  # docstrings say shapes and units
numpydoc_show_class_members = False

html_theme = "pydata_sphinx_theme"
html_title = f"{project} {release}"
html_static_path = ["_static"]
html_css_files = ["site.css"]
templates_path = ["_templates"]
html_sidebars = {"**": ["contents"]}
html_copy_source = False
html_show_sphinx = False
html_theme_options = {
    "github_url": repository,
    "navbar_center": [],
    "secondary_sidebar_items": ["page-toc"],
    "pygments_light_style": "a11y-high-contrast-light",
    "pygments_dark_style": "a11y-high-contrast-dark",
}

# of the repository alone: pages and files that a build elsewhere can't ask for
linkcheck_ignore = [rf"{repository}/blob/.*", PROJECT["urls"]["Documentation"] + ".*"]
linkcheck_timeout = 20
