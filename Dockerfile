# The app alone, for an external Postgres (see compose.yaml) or, with DATA_DIR on a volume, on embedded defaults.
# Not built by the tests: no container engine runs where they do.
FROM oven/bun:1.4.5 AS build
WORKDIR /app
COPY package.json bun.lock bunfig.toml ./
COPY server/db/*.patch server/db/
RUN bun install --frozen-lockfile
COPY . .
RUN bun --no-install server/launch.ts prepare

FROM oven/bun:1.4.5 AS packages
WORKDIR /app
COPY package.json bun.lock bunfig.toml ./
COPY server/db/*.patch server/db/
RUN bun install --frozen-lockfile --production
# The embedded Postgres lacks its symbolic links in the package, and the app may not write there.
COPY server server
RUN bun --no-install -e "(await import('./server/db/embedded-postgres.ts')).linkInstalledBinaries()"

FROM oven/bun:1.4.5
WORKDIR /app
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
COPY --from=packages /app/node_modules node_modules
COPY package.json bun.lock bunfig.toml tsconfig.json ./
COPY schema schema
COPY sync sync
COPY server server
COPY --from=build /app/client/dist client/dist
RUN mkdir -p /data && chown bun:bun /data
USER bun
VOLUME /data
EXPOSE 3000
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=30s \
  CMD bun -e "process.exit((await fetch('http://127.0.0.1:' + process.env.PORT + '/health')).ok ? 0 : 1)"
CMD ["bun", "--no-install", "server/launch.ts", "serve"]
