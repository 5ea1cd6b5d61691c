// Who wrote the mail that another one forwards, and its text.
import { FORWARD, FORWARDED, FROM, HEADER } from './quote.ts';

export interface Forwarded {
  /** The address of its author. */
  readonly address: string;
  /** Its text, without the mails that it quotes itself. */
  readonly text: string;
  /** What the person who forwarded it wrote above it; may be empty. */
  readonly remark: string;
}

/** Lines above the headers of a forwarded mail. */
const INTRODUCTION = /^(?:[-_]{2,}.*|.{5,80}:)$/;
/** Header lines of a forwarded mail in any language: a short name, and a value. */
const FIELD = /^\*?[^\s:：<>@][^:：<>@]{0,30}[:：]/u;
/** The first header line that names the author comes within this many lines of another one. */
const NEAR = 4;
/** Maximum header lines, including long lists of recipients. */
const MOST_LINES = 30;
const ADDRESS = /[^\s<>"'()[\],;:]{1,64}@[^\s<>"'()[\],;:]{1,190}/;

export const REPLY = /^\s*(?:re|aw|antw|sv|odp|ynt|res|rif|r|回复|答复|回覆)\s*:/i;

/** Whether a mail forwards another one, by its subject, its text, or a mail attached to it. */
export const isForward = (subject: string, text: string, hasMail: boolean): boolean =>
  FORWARD.test(subject) || (!REPLY.test(subject) && (hasMail || FORWARDED.test(text)));

/** Returns the first mail that a text forwards; undefined if its author's address is not given. */
export function forwardedIn(text: string): Forwarded | undefined {
  // Apple Mail quotes what it forwards.
  const lines = text.split('\n').map((line) => line.replace(/^> ?/, '').trim());
  const from = lines.findIndex((line, at) => FROM.test(line) && hasHeadersAround(lines, at));
  if (from < 0) return undefined;
  const address = ADDRESS.exec(lines[from]?.replaceAll(/\[?mailto:/gi, ' ') ?? '')?.[0];
  if (address === undefined) return undefined;
  const first = beginOf(lines, from);
  return { address, text: lines.slice(endOf(lines, from)).join('\n').trim(), remark: remarkOf(lines, first) };
}

const hasHeadersAround = (lines: readonly string[], at: number): boolean =>
  lines.slice(Math.max(0, at - NEAR), at + NEAR + 1).some((line, n, { length }) => length > 1 && HEADER.test(line));

/** Returns the first of the header lines that surround the author's. */
function beginOf(lines: readonly string[], from: number): number {
  let first = from;
  while (first > 0 && from - first < NEAR && HEADER.test(lines[first - 1] ?? '')) first--;
  return first;
}

/** Returns the line after the headers: the first empty one, or the first that is none. */
function endOf(lines: readonly string[], from: number): number {
  let end = from;
  while (end < lines.length && end - from < MOST_LINES && lines[end] !== '') {
    if (!FIELD.test(lines[end] ?? '') && !ADDRESS.test(lines[end] ?? '')) break;
    end++;
  }
  return end;
}

/** Returns what stands above the headers, without the line that introduces them. */
function remarkOf(lines: readonly string[], first: number): string {
  const above = lines.slice(0, first);
  while (above.at(-1) === '') above.pop();
  if (INTRODUCTION.test(above.at(-1) ?? '')) above.pop();
  return above.join('\n').trim();
}
