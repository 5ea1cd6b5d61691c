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

const readCatalogue = (file: string): Catalogue => JSON.parse(readFileSync(file, 'utf8')) as Catalogue;

/** Returns the catalogues in a folder by language. Empty if there is none. */
export const cataloguesIn = (folder: string): Readonly<Record<string, Catalogue>> =>
  existsSync(folder)
    ? Object.fromEntries(
        readdirSync(folder)
          .filter((each) => each.endsWith('.json'))
          .toSorted()
          .map((each) => [each.slice(0, -5), readCatalogue(join(folder, each))]),
      )
    : {};

/** Returns a plugin's catalogues by language. */
export const cataloguesOf = ({ file }: Loaded): Readonly<Record<string, Catalogue>> =>
  file === undefined ? {} : cataloguesIn(join(dirname(file), 'words'));

/** The folder of what the server itself says, which browsers do not need. */
export const serverWords = (words: string): string => join(words, 'server');

/** Returns the wording of a language; null for English. */
export type Wordings = (language: string | null) => Wording;

/** Returns the wordings of all plugins. Reads the catalogues of a language on its first use. */
export function createWordings(loaded: readonly Loaded[]): Wordings {
  const folders = [
    coreWords,
    ...loaded.flatMap(({ file }) => (file === undefined ? [] : [join(dirname(file), 'words')])),
  ];
  const of = shareResults((language: string): Wording => {
    const files = folders.flatMap((each) => [each, serverWords(each)]).map((each) => join(each, `${language}.json`));
    const catalogue = new Map(
      files.filter((each) => existsSync(each)).flatMap((each) => Object.entries(readCatalogue(each))),
    );
    const find = (text: string) => catalogue.get(text) || text;
    return { language, t: translator(language, (key) => catalogue.get(key)).t, find };
  });
  return (language) => of(language ?? 'en');
}
