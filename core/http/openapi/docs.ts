// The API reference: Swagger UI served from the installed package, with no external resources.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { html } from '@keelson/kit/html.ts';
import type Router from '@koa/router';
import type { Middleware } from 'koa';
import type { App } from '../../plugin/app.ts';
import { publicAsset, send } from '../answer/answer.ts';
import { limit } from '../middleware/limit.ts';
import type { Rendered } from '../request-state.ts';
import { surfaces } from '../routing/routes.ts';
import { describeSurface } from './openapi.ts';

const folder = dirname(createRequire(import.meta.url).resolve('swagger-ui-dist/package.json'));

// Swagger UI needs inline styles and SVG images. Scripts load only from our own origin.
const POLICY =
  "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'; base-uri 'none'";

const types: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'swagger-ui-standalone-preset.js': 'text/javascript; charset=utf-8',
  'favicon-32x32.png': 'image/png',
};

/**
 * Serves `/docs`, its files and each surface's `openapi.json`, built once, with an ETag. Counts towards the anonymous
 * limit.
 */
export function docsRouter(router: Router, app: App): void {
  const offered = surfaces.filter((surface) => surface.prefix !== '');
  // A cast: a router's context has additions that only its own handlers use.
  const charged = limit(app) as unknown as Middleware;
  const kept = new Map<string, Rendered>();
  const serve = (path: string, type: string, make: () => string | Buffer) =>
    router.get(path, charged, (http) => {
      const asset = kept.get(path) ?? publicAsset({ type, body: Buffer.from(make()) });
      kept.set(path, asset);
      send(http, asset);
    });
  for (const surface of offered) {
    const make = () => JSON.stringify(describeSurface(app, surface));
    serve(`${surface.prefix}/openapi.json`, 'application/json; charset=utf-8', make);
  }
  for (const [name, type] of Object.entries(types))
    serve(`/docs/${name}`, type, () => readFileSync(join(folder, name)));
  const urls = offered.map(({ prefix, id }) => ({ url: `${prefix}/openapi.json`, name: id }));
  serve('/docs/start.js', 'text/javascript; charset=utf-8', () => startScript(urls));
  router.get('/docs', charged, (http) => {
    http.set('Content-Security-Policy', POLICY);
    http.type = 'html';
    http.body = page(app.config.tenantName);
  });
}

function startScript(urls: readonly { url: string; name: string }[]): string {
  return `SwaggerUIBundle({
  urls: ${JSON.stringify(urls)},
  dom_id: '#reference',
  presets: [SwaggerUIBundle.presets.apis, SwaggerUIStandalonePreset],
  layout: 'StandaloneLayout',
  validatorUrl: null,
});`;
}

function page(tenant: string): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <title>${tenant} API reference</title>
        <link rel="stylesheet" href="/docs/swagger-ui.css" />
        <link rel="icon" href="/docs/favicon-32x32.png" />
      </head>
      <body>
        <div id="reference"></div>
        <script src="/docs/swagger-ui-bundle.js"></script>
        <script src="/docs/swagger-ui-standalone-preset.js"></script>
        <script src="/docs/start.js"></script>
      </body>
    </html>`.text;
}
