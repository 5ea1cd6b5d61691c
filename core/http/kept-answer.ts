// Stored responses for replayed requests: bounded, and sealed, because they may contain secrets.
import { deflateRawSync, inflateRawSync } from 'node:zlib';
import type { App } from '../plugin/app.ts';
import type { Rendered } from './answer.ts';

/** Maximum length of a stored sealed response, in characters. */
const LONGEST_KEPT = 65_536;
/** Longer texts are compressed: import errors repeat the same sentences. */
const LONG = 8192;
/** Longer texts are not stored: compressing them would block other requests. */
const LONGEST_COMPRESSED = 1_048_576;
/** Marks compressed responses. No JSON starts with it. */
const COMPRESSED = 'deflate:';

/** Packs a response for storage. Returns null if it is too long or not text. */
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
  // A UTF-16 unit takes at most three bytes in UTF-8.
  const limits = { maxOutputLength: 3 * LONGEST_COMPRESSED };
  return inflateRawSync(Buffer.from(text.slice(COMPRESSED.length), 'base64'), limits).toString();
}
