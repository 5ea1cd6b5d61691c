FROM node:24-slim
WORKDIR /app
COPY package.json package-lock.json ./
COPY core/package.json core/
COPY modules/package.json modules/
COPY web/package.json web/
# PDFs draw each script in one weight; the others are 58 MB.
RUN npm ci --omit=dev --ignore-scripts --no-audit --no-fund && npm cache clean --force && \
  find node_modules/@embedpdf -name '*.otf' ! -name '*-Regular.otf' -delete
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
