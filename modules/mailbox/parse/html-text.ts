// Plain text of HTML-only mails.
import sanitize from 'sanitize-html';

/** Tags that cause a line break. */
const BLOCKS = /<(?:br|\/p|\/div|\/tr|\/li|\/h[1-6]|\/blockquote)\b[^<>]{0,1000}>/gi;
/** Quotations: those that authors write themselves, such as indented text, have none of these attributes. */
const QUOTATION = /\btype=["']?cite|\bcite=|quote/i;
/** Stand where quotations open and close while tags are removed; private characters, which have no meaning in texts. */
const OPENED = '\uE000';
const CLOSED = '\uE001';
const ENTITIES: ReadonlyMap<string, string> = new Map([
  ['&amp;', '&'],
  ['&lt;', '<'],
  ['&gt;', '>'],
  ['&quot;', '"'],
  ['&#39;', "'"],
  ['&nbsp;', ' '],
]);

/** Truncate before sanitising; no genuine mail is longer. */
const LONGEST = 1_000_000;

export function textOfHtml(html: string): string {
  const marked = markQuotations(html.slice(0, LONGEST).replaceAll(/[\s\uE000\uE001]+/g, ' ')).replaceAll(BLOCKS, '\n');
  const plain = sanitize(marked, {
    allowedTags: [],
    allowedAttributes: {},
    nonTextTags: ['style', 'script', 'head', 'title'],
  });
  const text = plain
    .replaceAll(/&(?:amp|lt|gt|quot|nbsp|#39);/g, (entity) => ENTITIES.get(entity) ?? entity)
    .replaceAll('\u00a0', ' ')
    .replaceAll(/[ \t]*\n[ \t]*/g, '\n');
  return quoteLines(text)
    .replaceAll(/\n{3,}/g, '\n\n')
    .trim();
}

/** Marks where quotations open and close. */
function markQuotations(html: string): string {
  const open: boolean[] = [];
  return html.replaceAll(/<(\/?)blockquote\b([^<>]{0,1000})>/gi, (_tag, end: string, attributes: string) => {
    if (end === '') {
      const isQuotation = QUOTATION.test(attributes);
      open.push(isQuotation);
      return isQuotation ? `\n${OPENED}` : '\n';
    }
    return open.pop() ? `${CLOSED}\n` : '\n';
  });
}

/** Puts `>` before the lines of quotations, as mail programs do in plain text. */
function quoteLines(text: string): string {
  let depth = 0;
  const lines = text.split('\n').map((line) => {
    const opened = line.split(OPENED).length - 1;
    const closed = line.split(CLOSED).length - 1;
    depth += opened;
    const own = line.replaceAll(OPENED, '').replaceAll(CLOSED, '');
    const quoted = depth > 0 ? `> ${own}` : own;
    depth = Math.max(0, depth - closed);
    return quoted.trim();
  });
  return lines.join('\n');
}
