// Articles as plain text: the beginning for lists, paragraphs for assistants.
const LONGEST = 200;
/** Of the content: enough for an excerpt, however much of it is markup. */
const LOOKED_AT = 2000;

/** The first words of a Markdown text, without its markup. */
export function excerptOf(content: string): string {
  const plain = plainText(content, LOOKED_AT).replace(/\s+/g, ' ');
  const letters = Array.from(plain);
  if (letters.length <= LONGEST) return plain;
  return `${letters
    .slice(0, LONGEST)
    .join('')
    .replace(/\s+\S*$/, '')} …`;
}

/** The beginning of a Markdown text without its markup; its lines stay. */
export function plainText(content: string, longest: number): string {
  return (
    content
      .slice(0, longest)
      // Bounded: a row of opening brackets must not be searched through from each of them.
      .replace(/!?\[([^\]]{0,300})\]\([^)]{0,500}\)/g, '$1')
      .replace(/^[ \t]*(?:#{1,6}|>|[-*+]|\d{1,9}\.)[ \t]+/gm, '')
      .replace(/[`*_~|]+/g, '')
      .trim()
  );
}
