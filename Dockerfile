# Millrace in a container: one image for every role. Built and started as in docs/operator-guide.md.
# The base is exactly the Node that package.json pins, so no second one is installed.
FROM node:24.21.0-bookworm-slim AS build
WORKDIR /millrace
COPY package.json package-lock.json .npmrc ./
# No scripts: the only one would download the Node that is here already.
RUN npm ci --omit=dev --ignore-scripts
COPY tsconfig.json ./
COPY scripts scripts
COPY src src
COPY web web
RUN node --input-type=module --eval "import { ensurePage } from './scripts/build-page.mjs'; process.exitCode = (await ensurePage()) ? 0 : 1"

FROM node:24.21.0-bookworm-slim
WORKDIR /millrace
COPY --from=build /millrace ./
COPY bin bin
RUN mkdir -p /data node_modules/.cache/millrace-compile && chown node:node /data node_modules/.cache/millrace-compile
USER node
# Compiled ahead of every start, by the user who runs it: Node keeps what is compiled for each user apart.
RUN node --input-type=module --eval "import { warmCompileCache } from './scripts/warm.mjs'; await warmCompileCache()"
ENV HOST=0.0.0.0 PORT=7860 MILLRACE_HOME=/data
VOLUME /data
EXPOSE 7860
# Steps under way reach a checkpoint, and the process ends with 0 within 10 seconds.
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=5s --start-period=30s CMD ["node", "--eval", "fetch(`http://127.0.0.1:${process.env.PORT}/readyz`).then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "bin/millrace.mjs"]
CMD ["start"]
