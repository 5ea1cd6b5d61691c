// The catalogues of plugins, in a folder `words` beside their plugin file: `words/de.json`.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { translator, type Catalogue } from '@keelson/words';
import { shareResults } from '../kit/memoize.ts';
import type { Wording } from '../kit/wording.ts';
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

/** The folder of what the server itself says, which browsers do not need. */
export const serverWords = (words: string): string => join(words, 'server');

/** Returns the wording of a language; null for English. */
export type Wordings = (language: string | null) => Wording;

/** Returns the wordings of all plugins. Reads catalogues on first use. */
export function createWordings(loaded: readonly Loaded[]): Wordings {
  const folders = [
    coreWords,
    ...loaded.flatMap(({ file }) => (file === undefined ? [] : [join(dirname(file), 'words')])),
  ];
  const of = shareResults((language: string): Wording => {
    const all = folders.flatMap((each) => [cataloguesIn(each), cataloguesIn(serverWords(each))]);
    const catalogue = new Map(all.flatMap((each) => Object.entries(each[language] ?? {})));
    const find = (text: string) => catalogue.get(text) || text;
    return { language, t: translator(language, (key) => catalogue.get(key)).t, find };
  });
  return (language) => of(language ?? 'en');
}
