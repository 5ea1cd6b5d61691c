/** Joins words for a sentence: `sites, contacts and tickets`. */
export function enumerated(words: readonly string[]): string {
  return new Intl.ListFormat('en-GB', { type: 'conjunction' }).format(words);
}
