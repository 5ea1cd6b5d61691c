// The chat's texts in the visitor's language: the first of the browser's languages that has a catalogue.

/** Translations by language, which the server puts before the script. English needs none. */
declare const CATALOGUES: Readonly<Record<string, Readonly<Record<string, string>>>>;

const languages = navigator.languages.map((each) => each.split('-')[0] ?? '');
const catalogue = CATALOGUES[languages.find((each) => each === 'en' || Object.hasOwn(CATALOGUES, each)) ?? 'en'];

/** Translates a message and fills in its values. */
export function t(message: string, values: Readonly<Record<string, string | number>> = {}): string {
  const text = catalogue?.[message] || message;
  return text.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name]));
}
