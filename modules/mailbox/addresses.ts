// The addresses of mailboxes: each has one and its aliases, and each belongs to one mailbox.
import { invalid, IsNull, normalised, Not, type Context } from '@keelson/core';
import { Mailbox } from './entities.ts';

/** Returns the addresses of a mailbox, the first one first. */
export const addressesOf = ({ address, aliases }: Pick<Mailbox, 'address' | 'aliases'>): string[] => [
  address,
  ...(aliases ?? []),
];

/** Two mailboxes with one address would answer for each other. @throws invalid() */
export async function checkAddresses(ctx: Context, wanted: readonly string[], mailbox_id = 0): Promise<void> {
  const keys = wanted.map(normalised);
  if (new Set(keys).size < keys.length) throw invalid('aliases must differ from each other and from address');
  const others = await ctx.db.findBy(Mailbox, { mailbox_id: Not(mailbox_id), deleted_at: IsNull() });
  const taken = new Set(others.flatMap(addressesOf).map(normalised));
  const twice = wanted.find((each) => taken.has(normalised(each)));
  if (twice !== undefined) throw invalid(`${twice} already belongs to another mailbox`);
}
