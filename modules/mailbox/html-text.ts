// Plain text of HTML-only mails.
import sanitize from 'sanitize-html';

/** Tags that end a line. */
const BLOCKS = /<(?:br|\/p|\/div|\/tr|\/li|\/h[1-6]|\/blockquote)\b[^<>]{0,1000}>/gi;
const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['&amp;', '&'],
  ['&lt;', '<'],
  ['&gt;', '>'],
  ['&quot;', '"'],
  ['&#39;', "'"],
  ['&nbsp;', ' '],
]);

/** Truncate before sanitising; no real mail is longer. */
const LONGEST = 1_000_000;

export function textOfHtml(html: string): string {
  const marked = html.slice(0, LONGEST).replaceAll(/\s+/g, ' ').replaceAll(BLOCKS, '\n');
  const plain = sanitize(marked, {
    allowedTags: [],
    allowedAttributes: {},
    nonTextTags: ['style', 'script', 'head', 'title'],
  });
  return plain
    .replaceAll(/&(?:amp|lt|gt|quot|nbsp|#39);/g, (entity) => ENTITIES.get(entity) ?? entity)
    .replaceAll('\u00a0', ' ')
    .replaceAll(/[ \t]*\n[ \t]*/g, '\n')
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
}
