// The person's language. Messages are English sentences in the source; catalogues of other languages load before the
// pages that use them.
import { isLanguage, isPseudo, languages, translator, type Catalogue, type MessageValues } from '@keelson/words';

/** The page's language, chosen by the server. */
export const language = document.documentElement.lang || 'en';

const base = isPseudo(language) ? 'en' : language;

/** The browser's variant of the language, such as `de-AT`, for dates, numbers and amounts. */
export const locale = navigator.languages.find((each) => each.split('-')[0] === base.split('-')[0]) ?? base;

const catalogue = new Map<string, string>();
const loading = new Map<string, Promise<Catalogue | undefined>>();
const { t: translate, pieces } = translator(base, (key) => catalogue.get(key));

/** Loads a plugin's catalogue once and returns it; undefined if there is none. Pages without it are in English. */
export function loadWords(plugin: string): Promise<Catalogue | undefined> {
  const words = loading.get(plugin) ?? (language === 'en' ? Promise.resolve(undefined) : fetchWords(plugin));
  loading.set(plugin, words);
  return words;
}

async function fetchWords(plugin: string): Promise<Catalogue | undefined> {
  try {
    const address = new URL(`../words/${language}/${plugin}.js`, import.meta.url).href;
    const { default: words } = (await import(/* @vite-ignore */ address)) as { default: Catalogue };
    for (const [message, translated] of Object.entries(words)) catalogue.set(message, translated);
    return words;
  } catch {
    // Try again with the next page.
    loading.delete(plugin);
    return undefined;
  }
}

// Pages and components translate constants when they are loaded.
await loadWords('web');

/**
 * Translates a message: `t('Reopen ticket')`, `t('{count, plural, one {# ticket} other {# tickets}}', { count })`.
 * `context` distinguishes messages that are equal in English: `t('Open', {}, 'verb')`.
 */
export const t = (message: string, values?: MessageValues, context?: string): string =>
  translate(message, values, context);

/** Returns the pieces of a message with elements as values. */
export const piecesOf = pieces;

/** Returns a label as it is written within a sentence: `Company` becomes `company`, but German nouns keep their capital. */
export const withinSentence = (label: string): string => (language === 'de' ? label : label.toLowerCase());

/** The options of a language field, by their own names. */
export const languageChoices = Object.entries(languages).map(([value, label]) => ({ value, label }));

/** Returns the language chosen in such a field; null for none. */
export const chosenLanguage = (value: string) => (isLanguage(value) ? value : null);

const remembered = (): string | undefined => /(?:^|; )language=([^;]*)/.exec(document.cookie)?.[1];

/** Switches this browser's pages to the person's language; null for the browser's. */
export function speak(next: string | null): void {
  const before = remembered();
  if (before === (next ?? undefined) || isPseudo(before ?? '')) return;
  document.cookie = `language=${next ?? ''}; path=/; max-age=${next === null ? 0 : 31_536_000}; SameSite=Lax`;
  // A browser without cookies would reload the page endlessly.
  if (remembered() === (next ?? undefined) && next !== language) location.reload();
}
