// The catalogues of plugins, in a folder `words` beside their plugin file: `words/de.json`.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { translator, type Catalogue, type Translate } from '@keelson/words';
import { shareResults } from '../kit/memoize.ts';
import type { Loaded } from './check.ts';
import { root } from './plugin-files.ts';

/** The catalogue folder of the kit and the shells, and of what core itself says. */
export const coreWords = join(root, 'web/words');

/** Returns the catalogues in a folder by language. Empty if there is none. */
export const cataloguesIn = (folder: string): Readonly<Record<string, Catalogue>> =>
  existsSync(folder)
    ? Object.fromEntries(
        readdirSync(folder)
          .filter((each) => each.endsWith('.json'))
          .toSorted()
          .map((each) => [each.slice(0, -5), JSON.parse(readFileSync(join(folder, each), 'utf8')) as Catalogue]),
      )
    : {};

/** Returns a plugin's catalogues by language. */
export const cataloguesOf = ({ file }: Loaded): Readonly<Record<string, Catalogue>> =>
  file === undefined ? {} : cataloguesIn(join(dirname(file), 'words'));

/** Translates what the server itself says: mails and documents. */
export type Words = (language: string) => Translate;

/** Returns the words of all plugins. Reads catalogues on first use. */
export function createWords(loaded: readonly Loaded[]): Words {
  return shareResults((language: string): Translate => {
    const all = [cataloguesIn(coreWords), ...loaded.map(cataloguesOf)].map((each) => each[language] ?? {});
    const catalogue = new Map(all.flatMap((each) => Object.entries(each)));
    return translator(language, (key) => catalogue.get(key)).t;
  });
}
