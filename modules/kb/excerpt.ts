// The beginning of an article as plain text, for lists.
const LONGEST = 200;
/** Of the content: enough for an excerpt, however much of it is markup. */
const LOOKED_AT = 2000;

/** The first words of a Markdown text, without its markup. */
export function excerptOf(content: string): string {
  const plain = content
    .slice(0, LOOKED_AT)
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/^[ \t]*(?:#{1,6}|>|[-*+]|\d+\.)[ \t]+/gm, '')
    .replace(/[`*_~|]+/g, '')
    .replace(/\s+/g, ' ')
    .trim();
  const letters = Array.from(plain);
  if (letters.length <= LONGEST) return plain;
  return `${letters
    .slice(0, LONGEST)
    .join('')
    .replace(/\s+\S*$/, '')} …`;
}
