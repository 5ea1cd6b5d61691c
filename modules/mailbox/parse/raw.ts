// The raw mail, sealed, in parts that a database accepts.
import type { Context, Row } from '@keelson/core';
import { yieldToOthers } from '@keelson/core/kit';
import { MailboxRaw } from '../entities.ts';
import { Unreadable } from './unreadable.ts';

/** Bytes per part: sealing may triple the size, and databases accept 16 MiB per packet. */
const PART = 2 * 1024 * 1024;
/** Precedes parts sealed as text, which takes a quarter less than base64, as earlier versions sealed them. */
const AS_TEXT = 'text ';

export async function storeRaw(ctx: Context, received_id: number, raw: Buffer): Promise<void> {
  for (let part = 0; part * PART < raw.length; part++) {
    const bytes = raw.subarray(part * PART, (part + 1) * PART);
    const sealed = ctx.app.vault.seal(bytes.toString('latin1'), sealedFor(received_id, part));
    await ctx.db.insert(MailboxRaw, { received_id, part, content: AS_TEXT + sealed });
  }
}

/**
 * Returns the raw mail; undefined if already deleted.
 * @throws Unreadable if it is damaged
 */
export async function readRaw(ctx: Context, received_id: number): Promise<Buffer | undefined> {
  const count = await ctx.db.countBy(MailboxRaw, { received_id });
  const raw = Buffer.allocUnsafe(count * PART);
  let length = 0;
  for (let part = 0; part < count; part++) {
    const row = await ctx.db.findOneBy(MailboxRaw, { received_id, part });
    if (!row) return undefined;
    length += openPart(ctx, row).copy(raw, length);
    // Opening all parts of a large mail would take a second.
    await yieldToOthers();
  }
  return count === 0 ? undefined : raw.subarray(0, length);
}

function openPart({ app }: Context, { received_id, part, content }: Row<typeof MailboxRaw>): Buffer {
  const isText = content.startsWith(AS_TEXT);
  try {
    const opened = app.vault.open(isText ? content.slice(AS_TEXT.length) : content, sealedFor(received_id, part));
    return Buffer.from(opened, isText ? 'latin1' : 'base64');
  } catch (error) {
    throw new Unreadable('Its stored original is damaged', { cause: error });
  }
}

const sealedFor = (received_id: number, part: number): string => `mailbox message ${received_id} ${part}`;
