# sDCG Explorer as a container (docs/install.md). The tag is pinned; add the digest that your registry
# shows for it where a tag may not move: python:3.13.9-slim-bookworm@sha256:…
ARG PYTHON=3.13-slim-bookworm

FROM python:${PYTHON} AS build
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1
WORKDIR /src
RUN python -m venv /opt/sdcg
# what is needed, by itself: a change of our own files leaves this layer as it is
COPY constraints.txt pyproject.toml ./
RUN python -c "import tomllib; own = tomllib.load(open('pyproject.toml', 'rb'))['project']; \
        print(*own['dependencies'], *own['optional-dependencies']['scale'], sep='\n')" >needed.txt \
    && /opt/sdcg/bin/pip install -c constraints.txt -r needed.txt
COPY README.md LICENSE setup.py ./
COPY metrics metrics
COPY pages pages
COPY sample_sessions sample_sessions
COPY sdcg_explorer sdcg_explorer
RUN /opt/sdcg/bin/pip install --no-deps . \
    && /opt/sdcg/bin/python -m compileall -q /opt/sdcg/lib

FROM python:${PYTHON}
# "1" adds Chromium, which draws figures as PDF and PNG
ARG FIGURES=0
SHELL ["/bin/bash", "-o", "pipefail", "-c"]
# hadolint ignore=DL3008
RUN if [ "$FIGURES" = 1 ]; then \
        apt-get update \
        && apt-get install -y --no-install-recommends chromium fonts-dejavu-core \
        && rm -rf /var/lib/apt/lists/*; \
    fi \
    && useradd --no-log-init --uid 10001 --user-group --create-home --home-dir /home/sdcg sdcg \
    && install -d -o sdcg -g sdcg /var/lib/sdcg
COPY --from=build /opt/sdcg /opt/sdcg
ENV PATH=/opt/sdcg/bin:$PATH PYTHONDONTWRITEBYTECODE=1 STREAMLIT_SERVER_HEADLESS=true
USER 10001:10001
WORKDIR /home/sdcg
# studies of --shared, with --workspace /var/lib/sdcg
VOLUME /var/lib/sdcg
EXPOSE 8501
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s \
    CMD ["python", "-c", "from urllib.request import urlopen; urlopen('http://127.0.0.1:8501/_stcore/health', timeout=4)"]
ENTRYPOINT ["sdcg", "app", "--address", "0.0.0.0"]
CMD ["--ephemeral"]
