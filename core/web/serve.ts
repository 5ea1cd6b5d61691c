// Serves the console at /admin, the portal at /helpdesk, and their files at /web.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { memoize, shareResults } from '@keelson/kit/memoize.ts';
import { notFound } from '@keelson/kit/problem.ts';
import type { Finished } from '@keelson/web-build';
import type Router from '@koa/router';
import type { Next } from 'koa';
import type { Koa } from '../http/request-state.ts';
import type { App } from '../plugin/app.ts';
import type { Part } from '../plugin/page/part.ts';
import { browserLanguage } from '../plugin/setting/language.ts';
import { pagesSurface } from '../surfaces/pages.ts';
import { shellOf } from './shell.ts';
import type { OpenSite } from './site.ts';

/**
 * Adds the page routes. They are tried after all declared routes and count towards no rate limit: they do not use the
 * database, and browsers cache the files.
 */
export function pageRoutes(router: Router, app: App, site: OpenSite): void {
  const shells = (kind: Part['kind']) =>
    memoize(({ manifest }: Finished) =>
      shareResults((language: string) => shellOf(kind, app.config.tenantName, manifest, language)),
    );
  const answered = (work: (http: Koa) => Promise<void>) => async (http: Koa, next: Next) => {
    // Unknown API paths get their surface's own 404.
    if (http.state.face.surface !== pagesSurface) return next();
    await work(http);
  };
  const shell = (kind: Part['kind']) => {
    const shellFor = shells(kind);
    return answered(async (http) => {
      const { html, policy } = shellFor(await site.finished())(browserLanguage(http, app.language));
      http.vary('Accept-Language, Cookie');
      http.set({ 'Content-Security-Policy': policy, 'Cache-Control': 'no-cache' });
      http.type = 'html';
      http.body = html;
    });
  };
  router.get(['/admin', '/admin/{*path}'], shell('console'));
  router.get(['/helpdesk', '/helpdesk/{*path}'], shell('portal'));
  router.get(
    '/web/{*file}',
    answered((http) => sendFile(http, site)),
  );
}

async function sendFile(http: Koa, site: OpenSite): Promise<void> {
  const [, hash, name = ''] = /^\/web\/(?:([0-9a-f]{16})\/)?([\w./-]+)$/.exec(http.path) ?? [];
  const build = await buildOf(site, hash);
  // Open only files listed in the manifest.
  const file = build && Object.hasOwn(build.manifest.files, name) ? build.manifest.files[name] : undefined;
  if (!build || !file) throw notFound('Page');
  const encoding = file.encodings.find((each) => http.acceptsEncodings(each, 'identity') === each);
  const body = await readFile(join(build.folder, encoding ? `${name}.${encoding}` : name));
  // Server-rendered pages reference files of the current build without its hash.
  http.set('Cache-Control', hash === undefined ? 'public, max-age=300' : 'public, max-age=31536000, immutable');
  http.vary('Accept-Encoding');
  if (encoding) http.set('Content-Encoding', encoding);
  http.type = file.type;
  http.body = body;
}

async function buildOf(site: OpenSite, hash: string | undefined): Promise<Finished | undefined> {
  const current = await site.finished();
  return hash === undefined || current.manifest.hash === hash ? current : site.earlier(hash);
}
