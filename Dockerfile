# Millrace in a container: one image for every role. Built and started as in docs/operator-guide.md.
# The base is the Node that the repository pins, which is the one that everything is tested with.
FROM node:24.21.0-bookworm-slim AS build
WORKDIR /build
COPY package.json package-lock.json .npmrc ./
# No scripts: they would download a Node, which is here already, and a PostgreSQL for tests.
RUN npm ci --ignore-scripts
COPY . .
RUN npm run package
# Fastify and the libraries for language models are peers. Whoever runs an image cannot add them later.
RUN npm install --prefix /millrace --omit=dev ./out/millrace-*.tgz $(node scripts/container/optional-packages.mjs)

FROM node:24.21.0-bookworm-slim
WORKDIR /millrace
COPY --from=build /millrace ./
RUN mkdir /data && chown node:node /data
USER node
ENV HOST=0.0.0.0 PORT=7860 MILLRACE_HOME=/data
VOLUME /data
EXPOSE 7860
# Steps under way reach a checkpoint, and the process ends with 0 within 10 seconds.
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s CMD ["node", "--eval", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
# Not by npm, which would be the first process, and would pass no signals on.
ENTRYPOINT ["node", "node_modules/millrace/bin/millrace.mjs"]
CMD ["start"]
