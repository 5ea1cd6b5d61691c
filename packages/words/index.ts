// Translations: a message is the English sentence itself, in ICU syntax where it has values. A catalogue maps it to
// another language. The same code runs on the server and in the browser.
import { IntlMessageFormat } from 'intl-messageformat';

/** English messages and their translations. A context follows the message: `Open|verb`. */
export type Catalogue = Readonly<Record<string, string>>;

/** Languages, by their own names. English needs no catalogue. */
export const languages = { en: 'English', de: 'Deutsch' } as const;
export type Language = keyof typeof languages;
export const isLanguage = (given: unknown): given is Language =>
  typeof given === 'string' && Object.hasOwn(languages, given);

/** Pseudo-languages for tests: accented and longer English, and the same from right to left. */
export const pseudoLanguages = ['en-XA', 'ar-XB'] as const;
export const isPseudo = (language: string): boolean => (pseudoLanguages as readonly string[]).includes(language);

export const directionOf = (language: string): 'ltr' | 'rtl' => (/^(?:ar|fa|he|ur)\b/.test(language) ? 'rtl' : 'ltr');

/** Values of a message: `{ count: 3 }`. */
export type MessageValues = Readonly<Record<string, string | number | null | undefined>>;

/** Returns the message in a language, filled in. */
export type Translate = (message: string, values?: MessageValues, context?: string) => string;

export interface Translator {
  readonly t: Translate;
  /** Fills in values that are not text, such as elements, and returns the pieces in order. */
  readonly pieces: <Piece>(message: string, values: Readonly<Record<string, Piece>>) => readonly (string | Piece)[];
}

/** A message without values, which needs no formatting. */
const PLAIN = /^[^{}'<]*$/;

/** Returns the translator of a language. `find` looks a message up in its catalogue. */
export function translator(locale: string, find: (key: string) => string | undefined): Translator {
  const known = new Map<string, IntlMessageFormat>();
  const formOf = (text: string): IntlMessageFormat => {
    let form = known.get(text);
    if (!form) known.set(text, (form = new IntlMessageFormat(text, locale, undefined, { ignoreTag: true })));
    return form;
  };
  const wordsOf = (message: string, context?: string) =>
    (context !== undefined && find(`${message}|${context}`)) || find(message) || message;
  return {
    t(message, values, context) {
      const text = wordsOf(message, context);
      return PLAIN.test(text) ? text : String(formOf(text).format(values as Record<string, string>));
    },
    pieces<Piece>(message: string, values: Readonly<Record<string, Piece>>) {
      const made: unknown = formOf(wordsOf(message)).format<Piece>(values as Record<string, Piece>);
      return (Array.isArray(made) ? made : [made]) as (string | Piece)[];
    },
  };
}
