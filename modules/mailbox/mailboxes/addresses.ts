// Addresses of mailboxes: each mailbox has a primary address and aliases, and each address belongs to one mailbox.
import { invalid, IsNull, normalised, Not, type Context } from '@keelson/core';
import { Mailbox } from '../entities.ts';

/** Returns the addresses of a mailbox that customers write to, the primary one first. */
export const addressesOf = ({ address, aliases }: Pick<Mailbox, 'address' | 'aliases'>): string[] => [
  address,
  ...(aliases ?? []),
];

/** Returns everything that is delivered to a mailbox, also what customers do not write to. */
const deliveredTo = (mailbox: Pick<Mailbox, 'address' | 'aliases' | 'note_address'>): string[] => [
  ...addressesOf(mailbox),
  ...(mailbox.note_address ? [mailbox.note_address] : []),
];

/** Returns the normalised addresses of all mailboxes, and the one that the installation sends from. */
export async function readOwnAddresses(ctx: Context, mailbox: Mailbox): Promise<string[]> {
  const boxes = await ctx.db.findBy(Mailbox, { deleted_at: IsNull() });
  const sender = await ctx.app.mail.sender(ctx);
  return [...[mailbox, ...boxes].flatMap(deliveredTo), sender.address].map(normalised);
}

/**
 * Rejects an address that another mailbox already has.
 * @throws invalid()
 */
export async function checkAddresses(ctx: Context, wanted: readonly string[], mailbox_id = 0): Promise<void> {
  const keys = wanted.map(normalised);
  if (new Set(keys).size < keys.length)
    throw invalid('aliases and note_address must differ from each other and from address');
  const others = await ctx.db.findBy(Mailbox, { mailbox_id: Not(mailbox_id), deleted_at: IsNull() });
  const taken = new Set(others.flatMap(deliveredTo).map(normalised));
  const twice = wanted.find((each) => taken.has(normalised(each)));
  if (twice !== undefined) throw invalid(`${twice} already belongs to another mailbox`);
}
