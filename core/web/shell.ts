// The single HTML page of the console and of the portal. It is the same for everyone; what a user may see loads later.
import { createHash } from 'node:crypto';
import { escapeHtml } from '@keelson/kit/html.ts';
import { sharedModules, type Manifest } from '@keelson/web-build';
import { directionOf } from '@keelson/words';
import type { Part } from '../plugin/page/part.ts';

export interface Shell {
  readonly html: string;
  readonly policy: string;
}

/** The shell's first request, preloaded while the scripts load. */
const firstRequest = { console: '/admin/api/v1/console.php', portal: '/helpdesk/api/v1/portal' } as const;

/** Renders a build's page. The policy allows our own scripts and, by its hash, the import map; nothing else inline. */
export function shellOf(
  kind: Part['kind'],
  tenant: string,
  { hash, preload, files }: Manifest,
  language: string,
): Shell {
  const base = `/web/${hash}`;
  const imports = Object.entries(sharedModules).map(([name, file]) => [name, `${base}/shared/${file}.js`]);
  const map = JSON.stringify({ imports: Object.fromEntries(imports) });
  const sheets = kind === 'portal' ? ['kit.css', 'portal.css'] : ['kit.css'];
  const name = `words/${language}/web.js`;
  const words = Object.hasOwn(files, name) ? `<link rel="modulepreload" href="${base}/${name}">\n` : '';
  const html = `<!doctype html>
<html lang="${language}" dir="${directionOf(language)}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1, viewport-fit=cover">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(tenant)}</title>
<link rel="icon" href="/favicon.ico">
<script type="importmap">${map}</script>
${sheets.map((each) => `<link rel="stylesheet" href="${base}/${each}">`).join('\n')}
<link rel="preload" as="font" type="font/woff2" href="${base}/fonts/plex-latin.woff2" crossorigin>
<link rel="preload" as="fetch" href="${firstRequest[kind]}" crossorigin>
${words}${preload[kind].map((each) => `<link rel="modulepreload" href="${base}/${each}">`).join('\n')}
</head>
<body>
<div id="root"></div>
<noscript>This page needs JavaScript.</noscript>
<script type="module" src="${base}/${kind}.js"></script>
</body>
</html>
`;
  return { html, policy: policyWith(kind, createHash('sha256').update(map).digest('base64')) };
}

const policyWith = (kind: string, hash: string): string =>
  [
    "default-src 'none'",
    `script-src 'self' 'sha256-${hash}'`,
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "frame-src 'self'",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
    "base-uri 'none'",
    "require-trusted-types-for 'script'",
    // The console names its service worker, which shows notifications.
    kind === 'console' ? 'trusted-types worker' : "trusted-types 'none'",
  ].join('; ');
