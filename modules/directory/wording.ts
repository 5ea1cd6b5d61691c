/** `sites, contacts, and tickets` as a sentence says it. */
export function enumerated(words: readonly string[]): string {
  return new Intl.ListFormat('en-GB', { type: 'conjunction' }).format(words);
}
