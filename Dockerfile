FROM node:24-slim AS fonts
RUN npm install --prefix /fonts --no-audit --no-fund @embedpdf/fonts-sc@1.0.0 @embedpdf/fonts-kr@1.0.0

FROM node:24-slim
WORKDIR /app
COPY package.json package-lock.json ./
COPY core/package.json core/
COPY modules/package.json modules/
COPY packages/backup/package.json packages/backup/
COPY packages/client/package.json packages/client/
COPY packages/files/package.json packages/files/
COPY packages/storage/package.json packages/storage/
COPY packages/words/package.json packages/words/
COPY packages/words/package.json packages/words/
COPY web/package.json web/
# Source maps and types are for debuggers and compilers: 80 MB.
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund && npm cache clean --force && \
  find node_modules -name '*.map' -delete -o -name '*.d.?ts' -delete -o -name '*.d.ts' -delete
# Chinese, Japanese and Korean in PDFs.
COPY --from=fonts /fonts/node_modules/@embedpdf/*/fonts/NotoSans*-Regular.otf /usr/share/fonts/
COPY . .
RUN node cli.js web
RUN mkdir /data && chown node:node /data
ENV NODE_ENV=production HOST=0.0.0.0 PORT=3000 DATA_DIR=/data
USER node
VOLUME /data
EXPOSE 3000
HEALTHCHECK --interval=15s --timeout=3s --start-period=30s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/health').then((a) => process.exit(a.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "--disable-proto=delete", "--max-semi-space-size=16", "start.js"]
