// The catalogues of a build, one file for each plugin and language.
import { pseudoLanguages, type Catalogue } from '@keelson/words';
import { pseudo } from '@keelson/words/pseudo';
import type { PluginWords } from './build-input.ts';

/** Returns a file for every plugin in every language: `words/de/tickets.js`. */
export function wordFiles(words: readonly PluginWords[]): [string, Buffer][] {
  const languages = new Set([...words.flatMap(({ catalogues }) => Object.keys(catalogues)), ...pseudoLanguages]);
  return [...languages].flatMap((language) => {
    const all = words.map((each) => ({ ...each, own: ownWords(each, language) }));
    const shared = Object.assign({}, ...all.map((each) => picked(each.own, each.shared))) as Catalogue;
    return all.map(({ plugin, own }): [string, Buffer] => {
      const catalogue = plugin === 'web' ? { ...shared, ...own } : own;
      return [`words/${language}/${plugin}.js`, Buffer.from(`export default ${JSON.stringify(catalogue)};\n`)];
    });
  });
}

/** Pseudo-languages get the messages of the first catalogue. */
function ownWords({ catalogues }: PluginWords, language: string): Catalogue {
  const own = catalogues[language];
  if (own || !(pseudoLanguages as readonly string[]).includes(language)) return own ?? {};
  const messages = Object.keys(Object.values(catalogues)[0] ?? {});
  return Object.fromEntries(messages.map((key) => [key, pseudo(key.split('|')[0] ?? key)]));
}

const picked = (catalogue: Catalogue, messages: readonly string[]): Catalogue =>
  Object.fromEntries(
    messages.flatMap((each) => (catalogue[each] === undefined ? [] : [[each, catalogue[each]] as const])),
  );
