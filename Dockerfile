FROM node:24-slim AS packages
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
COPY core/package.json core/
COPY modules/package.json modules/
COPY packages/backup/package.json packages/backup/
COPY packages/client/package.json packages/client/
COPY packages/database/package.json packages/database/
COPY packages/events/package.json packages/events/
COPY packages/files/package.json packages/files/
COPY packages/kit/package.json packages/kit/
COPY packages/list/package.json packages/list/
COPY packages/log/package.json packages/log/
COPY packages/mail/package.json packages/mail/
COPY packages/mcp/package.json packages/mcp/
COPY packages/security/package.json packages/security/
COPY packages/server/package.json packages/server/
COPY packages/storage/package.json packages/storage/
COPY packages/testing/package.json packages/testing/
COPY packages/web-build/package.json packages/web-build/
COPY packages/words/package.json packages/words/
COPY web/package.json web/
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund && npm run slim
# Chinese, Japanese and Korean in PDFs.
WORKDIR /fonts
COPY package.json .
RUN npm pkg delete workspaces dependencies devDependencies && \
  npm install --no-audit --no-fund @embedpdf/fonts-sc@1.0.0 @embedpdf/fonts-kr@1.0.0 && npm run slim

# Without npm, Yarn and headers, which the server does not use.
FROM debian:bookworm-slim
RUN useradd --uid 1000 --user-group --create-home node && install --directory --owner node --group node /data
COPY --from=packages /usr/local/bin/node /usr/local/bin/
WORKDIR /app
COPY --from=packages /app ./
COPY --from=packages /fonts/node_modules/@embedpdf node_modules/@embedpdf
COPY . .
RUN NODE_DISABLE_COMPILE_CACHE=1 node cli.js web
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=15s --timeout=3s --start-period=30s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/health').then((a) => process.exit(a.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--disable-proto=delete", "--max-semi-space-size=16", "start.js"]
