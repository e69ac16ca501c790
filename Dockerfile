# Rollcall in a container: docker build -t rollcall . && docker run --network host --read-only --tmpfs /tmp -v rollcall:/data rollcall
FROM python:3.12-slim-bookworm

# OpenCV's wheel links these two.
# hadolint ignore=DL3008
RUN apt-get update \
    && apt-get install -y --no-install-recommends libgl1 libglib2.0-0 \
    && rm -rf /var/lib/apt/lists/*

WORKDIR /app
COPY . .
# `[home]` for MQTT and zeroconf; `[cluster]` for servers and readers that share a PostgreSQL (compose.yaml).
ARG EXTRAS="[home]"
RUN pip install --no-cache-dir --constraint constraints.txt ".${EXTRAS}" \
    && useradd --uid 1000 --create-home rollcall \
    && install -d -o rollcall -g rollcall -m 0700 /data

USER 1000
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=30s --timeout=5s --start-period=20s \
    CMD ["python", "-c", "import urllib.request; urllib.request.urlopen('http://127.0.0.1:8000/health', timeout=4)"]
ENTRYPOINT ["rollcall", "serve", "--data", "/data"]
