// Catalogues of plugins, in a `words` folder beside the plugin file: `words/de.json`.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { shareResults } from '@keelson/kit/memoize.ts';
import { MINOR_PARTS, moneyInWords } from '@keelson/kit/money.ts';
import { dayInWords } from '@keelson/kit/time.ts';
import type { Wording } from '@keelson/kit/wording.ts';
import { translator, type Catalogue } from '@keelson/words';
import { explainer, isoDayOf } from '@keelson/words/explanations';
import type { Loaded } from './loaded.ts';
import { root } from './plugin-files.ts';

/** The catalogue folder of the kit and the shells, and of core's own texts. */
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

/** The catalogue folder of a plugin; undefined if the plugin was not loaded from a file. */
const folderOf = ({ file }: Loaded): string | undefined => file && join(dirname(file), 'words');

/** Returns a plugin's catalogues by language. */
export function cataloguesOf(loaded: Loaded): Readonly<Record<string, Catalogue>> {
  const folder = folderOf(loaded);
  return folder === undefined ? {} : cataloguesIn(folder);
}

/** The catalogue folder of the server's own texts, which browsers do not need. */
export const serverWords = (words: string): string => join(words, 'server');

/** The catalogue folder of error messages, which browsers load with the first error. */
export const refusalWords = (words: string): string => join(words, 'refusals');

/** Returns the translated error messages by language: core's and those of all plugins. */
export function refusalCatalogues(loaded: readonly Loaded[]): Readonly<Record<string, Catalogue>> {
  const all = foldersOf(loaded).map((folder) => cataloguesIn(refusalWords(folder)));
  const languages = [...new Set(all.flatMap(Object.keys))];
  return Object.fromEntries(
    languages.map((language) => [language, Object.assign({}, ...all.map((each) => each[language])) as Catalogue]),
  );
}

/** Returns the server's texts in a language; null for English. */
export type Wordings = (language: string | null) => Wording;

const foldersOf = (loaded: readonly Loaded[]): readonly string[] => [
  coreWords,
  ...loaded.flatMap((each) => folderOf(each) ?? []),
];

/** Reads the translated error messages on first use. */
function explainerOf(loaded: readonly Loaded[], language: string): Wording['explain'] {
  const made = shareResults(() => {
    const words = refusalCatalogues(loaded)[language] ?? {};
    const { t } = translator(language, (key) => words[key]);
    return explainer(Object.keys(words), t, {
      day: (day) => dayInWords(isoDayOf(day), language),
      amount: (amount, currency) => moneyInWords(Math.round(amount * MINOR_PARTS), currency, language),
    });
  });
  return (text) => made()(text);
}

/** Returns the server's texts of all plugins. Reads the catalogues of a language on first use. */
export function createWordings(loaded: readonly Loaded[]): Wordings {
  const folders = foldersOf(loaded);
  const of = shareResults((language: string): Wording => {
    const files = folders.flatMap((each) => [each, serverWords(each)]).map((each) => join(each, `${language}.json`));
    const catalogue = new Map(
      files.filter((each) => existsSync(each)).flatMap((each) => Object.entries(readCatalogue(each))),
    );
    const find = (text: string) => catalogue.get(text) || text;
    const { t } = translator(language, (key) => catalogue.get(key));
    return { language, t, find, explain: explainerOf(loaded, language) };
  });
  return (language) => of(language ?? 'en');
}
