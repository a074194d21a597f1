"""Which folders are packages: all in sdcg_explorer/, and three at the top that are parts of it."""

from setuptools import find_namespace_packages, setup

TOP = ("metrics", "pages", "sample_sessions")
within = find_namespace_packages(include=["sdcg_explorer*"], exclude=["*__pycache__*"])
setup(
    packages=[*within, *(f"sdcg_explorer.{name}" for name in TOP)],
    package_dir={"sdcg_explorer": "sdcg_explorer", **{f"sdcg_explorer.{n}": n for n in TOP}},
)
