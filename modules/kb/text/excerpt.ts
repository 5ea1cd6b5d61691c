// Plain text of articles: excerpts for lists, paragraphs for assistants.
const LONGEST = 200;
/** Characters of content to process; enough for an excerpt even with much markup. */
const LOOKED_AT = 2000;

/** Returns the beginning of a Markdown text without markup. */
export function excerptOf(content: string): string {
  const plain = plainText(content, LOOKED_AT).replace(/\s+/g, ' ');
  const letters = Array.from(plain);
  if (letters.length <= LONGEST) return plain;
  return `${letters
    .slice(0, LONGEST)
    .join('')
    .replace(/\s+\S*$/, '')} …`;
}

/** Strips the markup from the beginning of a Markdown text; line breaks are kept. */
export function plainText(content: string, longest: number): string {
  return (
    content
      .slice(0, longest)
      // Bounded, so that a run of opening brackets does not cause quadratic backtracking.
      .replace(/!?\[([^\]]{0,300})\]\([^)]{0,500}\)/g, '$1')
      .replace(/^[ \t]*(?:#{1,6}|>|[-*+]|\d{1,9}\.)[ \t]+/gm, '')
      .replace(/[`*_~|]+/g, '')
      .trim()
  );
}
