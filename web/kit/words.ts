// The person's language. Messages are English sentences in the source; catalogues of other languages load before the
// pages that use them.
import { isPseudo, translator, type Catalogue, type MessageValues } from '@keelson/words';

/** The page's language, chosen by the server. */
export const language = document.documentElement.lang || 'en';

const base = isPseudo(language) ? 'en' : language;

/** The browser's variant of the language, such as `de-AT`, for dates, numbers and amounts. */
export const locale = navigator.languages.find((each) => each.split('-')[0] === base.split('-')[0]) ?? base;

const catalogue = new Map<string, string>();
const loaded = new Set<string>();
const { t: translate, pieces } = translator(base, (key) => catalogue.get(key));

/** Loads a plugin's catalogue, if the language has one. Pages without it are in English. */
export async function loadWords(plugin: string): Promise<void> {
  if (language === 'en' || loaded.has(plugin)) return;
  loaded.add(plugin);
  try {
    const address = new URL(`../words/${language}/${plugin}.js`, import.meta.url).href;
    const { default: words } = (await import(/* @vite-ignore */ address)) as { default: Catalogue };
    for (const [message, translated] of Object.entries(words)) catalogue.set(message, translated);
  } catch {
    loaded.delete(plugin);
  }
}

// Pages and components translate constants while they load.
await loadWords('web');

/**
 * Translates a message: `t('Reopen ticket')`, `t('{count, plural, one {# ticket} other {# tickets}}', { count })`.
 * `context` distinguishes messages that are equal in English: `t('Open', {}, 'verb')`.
 */
export const t = (message: string, values?: MessageValues, context?: string): string =>
  translate(message, values, context);

/** Returns the pieces of a message with elements as values. */
export const piecesOf = pieces;

/** Shows the pages of this browser in another language. */
export function speak(next: string): void {
  document.cookie = `language=${next}; path=/; max-age=31536000; SameSite=Lax`;
  location.reload();
}
