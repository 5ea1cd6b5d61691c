// Renders an exported name: heading, signature, comment and example.
import type { Example } from './examples.ts';

export interface Documented {
  readonly name: string;
  readonly signature: string;
  readonly comment: string;
  readonly example: Example | undefined;
}

const tag = /^@(param|throws|returns|example)\s+/;

/** Splits a comment into text and tags; its example is returned separately. */
export function splitComment(comment: string): {
  text: string;
  params: string[];
  throws: string[];
  example: string | undefined;
} {
  const [text = '', ...tags] = comment.split(/(?:^|\s)(?=@(?:param|throws|returns|example)\b)/);
  const of = (kind: string) =>
    tags.filter((each) => tag.exec(each)?.[1] === kind).map((each) => each.replace(tag, '').trim());
  return {
    text: text
      .split(/\n(?=- )/)
      .map(oneLine)
      .join('\n'),
    params: [...of('param').map(paramText), ...of('returns').map((each) => `answers ${oneLine(each)}`)],
    throws: of('throws').map(oneLine),
    example: of('example')[0],
  };
}

export function renderName({ name, signature, comment, example }: Documented): string {
  const { text, params, throws } = splitComment(comment);
  const list = [...params, ...throws.map((each) => `throws ${each}`)].map((each) => `- ${escaped(each)}\n`).join('');
  const place = example?.path === undefined ? '' : `// ${example.path}\n`;
  const code = example ? `${signature}\n\n${place}${example.code}` : signature;
  return [`### ${name}\n`, text === '' ? '' : `${escaped(text)}\n`, list, fenced(code)]
    .filter((each) => each !== '')
    .join('\n');
}

/** Generates anchors like GitHub: repeated headings get a number. */
export function anchors(): (heading: string) => string {
  const met = new Map<string, number>();
  return (heading) => {
    const plain = heading
      .toLowerCase()
      .replace(/[^\w -]/g, '')
      .replaceAll(' ', '-');
    const before = met.get(plain) ?? 0;
    met.set(plain, before + 1);
    return before === 0 ? plain : `${plain}-${before}`;
  };
}

export const fenced = (code: string): string => `\`\`\`ts\n${code}\n\`\`\`\n`;

const paramText = (param: string): string => oneLine(param).replace(/^(\w+) /, '`$1`: ');

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** Escapes text outside code, where `<address>` would be an element. */
const escaped = (text: string): string =>
  text
    .split(/(`[^`]*`)/)
    .map((part) => (part.startsWith('`') ? part : part.replace(/[<*]/g, '\\$&')))
    .join('');
