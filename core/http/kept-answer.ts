// An answer as it is kept for a repeat of its request: short, and sealed, for it may hold what is shown only once.
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { App } from '../plugin/app.ts';
import type { Rendered } from './answer.ts';

/** Characters of a sealed answer at most. */
const LONGEST_KEPT = 65_536;
/** From here on a text is compressed: the errors of an import say the same a thousand times. */
const LONG = 8192;
/** What is longer is not even tried: it would hold everybody up. */
const LONGEST_COMPRESSED = 1_048_576;
/** No JSON begins like this. */
const COMPRESSED = 'deflate:';

/** The answer to keep, or null for one that is too long, or no text. */
export function packAnswer({ vault }: App, { body }: Rendered, context: string): string | null {
  if (body !== undefined && typeof body !== 'string') return null;
  const text = body ?? '';
  if (text.length > LONGEST_COMPRESSED) return null;
  const short = text.length > LONG ? COMPRESSED + deflateRawSync(text).toString('base64') : text;
  const sealed = vault.seal(short, context);
  return sealed.length > LONGEST_KEPT ? null : sealed;
}

export function unpackAnswer({ vault }: App, kept: string, context: string): string {
  const text = vault.open(kept, context);
  if (!text.startsWith(COMPRESSED)) return text;
  // A character takes three bytes at most.
  const limits = { maxOutputLength: 3 * LONGEST_COMPRESSED };
  return inflateRawSync(Buffer.from(text.slice(COMPRESSED.length), 'base64'), limits).toString();
}
