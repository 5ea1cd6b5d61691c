// Style sheets, fonts and compression of a build. Runs in the build process only.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import type { BuildPart } from './build-input.ts';

/** Must come first: it declares the layer order. The rest is layered, so its order does not matter. */
const FIRST = 'tokens.css';
const PORTAL = 'portal.css';

/** Returns the kit's style sheet, the portal's own one, and the fonts. */
export function kitAssets(web: string): Map<string, Buffer> {
  const kit = join(web, 'kit');
  const rest = sheetsIn(kit).filter((each) => each !== FIRST && each !== PORTAL);
  const fonts = readdirSync(join(web, 'fonts')).filter((each) => each.endsWith('.woff2'));
  return new Map([
    ['kit.css', Buffer.from(joined(kit, [FIRST, ...rest]))],
    ['portal.css', readFileSync(join(kit, PORTAL))],
    ...fonts.map((each) => [`fonts/${each}`, readFileSync(join(web, 'fonts', each))] as const),
  ]);
}

/** Returns a plugin's style sheet in its layer. A third party's is scoped to its own pages and panels. */
export function partStyle({ plugin, source, kind, folder }: BuildPart): [string, Buffer][] {
  const own = joined(folder, sheetsIn(folder));
  if (own === '') return [];
  const layered =
    source === 'module'
      ? `@layer module {\n${own}\n}\n`
      : `@layer plugin {\n@scope ([data-plugin='${plugin}']) {\n${own}\n}\n}\n`;
  return [[`${plugin}/${kind}.css`, Buffer.from(layered)]];
}

const sheetsIn = (folder: string): string[] =>
  readdirSync(folder)
    .filter((each) => each.endsWith('.css'))
    .toSorted();

const joined = (folder: string, names: readonly string[]): string =>
  names.map((each) => readFileSync(join(folder, each), 'utf8')).join('\n');

const inBrotli = promisify(brotliCompress);
const inGzip = promisify(gzip);
const SMALL = 600;
/** The maximum quality takes twice as long and saves only 2% more. */
const QUALITY = 10;

/** Compresses a file into the encodings browsers accept, where worthwhile. */
export async function compressed(name: string, plain: Buffer): Promise<Map<'br' | 'gzip', Buffer>> {
  if (name.endsWith('.woff2') || plain.length < SMALL) return new Map();
  const params = { [constants.BROTLI_PARAM_QUALITY]: QUALITY, [constants.BROTLI_PARAM_SIZE_HINT]: plain.length };
  const [br, gz] = await Promise.all([inBrotli(plain, { params }), inGzip(plain, { level: 9 })]);
  return new Map([
    ['br', br],
    ['gzip', gz],
  ]);
}
