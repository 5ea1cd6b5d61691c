// Reads received mails. Each is parsed once for everyone who needs it within a short time: its own turn, that of the
// mails after it, and its files.
import { perApp, type Context } from '@keelson/core';
import { LRUCache } from 'lru-cache';
import type { Mailbox, MailboxMessage } from '../entities.ts';
import { withoutLinks } from '../messages/personal-links.ts';
import { parseApart } from './apart.ts';
import type { ParsedMail, Receiving } from './parse.ts';
import { readRaw } from './raw.ts';
import { unreadableBy } from './unreadable.ts';

/** Maximum bytes of mails to keep. */
const KEPT_BYTES = 48 * 1024 * 1024;
const KEPT_MS = 60_000;

type Reading = Promise<ParsedMail | undefined>;

const readings = perApp(() => new LRUCache<number, Reading>({ maxSize: KEPT_BYTES, ttl: KEPT_MS }));

type Read = Pick<MailboxMessage, 'received_id' | 'size'>;

/**
 * Returns a received mail; undefined if its content is deleted.
 * @throws Unreadable
 */
export function readMail(ctx: Context, mailbox: Mailbox, message: Read): Reading {
  const known = readings(ctx.app).get(message.received_id);
  return known ?? keep(ctx, message, parseStored(ctx, mailbox, message));
}

/** Begins to parse a mail that was just stored, unless many are waiting already. */
export function readAhead(ctx: Context, mailbox: Mailbox, message: Read, raw: Buffer): void {
  if (readings(ctx.app).calculatedSize + message.size > KEPT_BYTES) return;
  void keep(ctx, message, parse(ctx, { ...mailbox, size: message.size }, raw));
}

/** Frees the memory of a mail that is not needed again. */
export function forgetMail({ app }: Context, received_id: number): void {
  readings(app).delete(received_id);
}

function keep({ app }: Context, { received_id, size }: Read, reading: Reading): Reading {
  readings(app).set(received_id, reading, { size: Math.max(1, size) });
  // An error is reported to those who read the mail, and the next one tries again.
  reading.catch(() => readings(app).delete(received_id));
  return reading;
}

async function parseStored(ctx: Context, mailbox: Mailbox, { received_id, size }: Read): Reading {
  const raw = await readRaw(ctx, received_id);
  return raw && parse(ctx, { ...mailbox, size }, raw);
}

async function parse({ app }: Context, receiving: Receiving, raw: Buffer): Promise<ParsedMail> {
  try {
    return cleaned(await parseApart(app, raw, receiving), app.config.baseUrl);
  } catch (error) {
    throw unreadableBy(error);
  }
}

/** Returns a mail without our personal links. */
function cleaned(mail: ParsedMail, baseUrl: string): ParsedMail {
  const clean = (text: string) => withoutLinks(text, baseUrl);
  const { text, forwarded } = mail;
  const inner = forwarded && { ...forwarded, text: clean(forwarded.text), remark: clean(forwarded.remark) };
  return { ...mail, text: clean(text), forwarded: inner };
}
