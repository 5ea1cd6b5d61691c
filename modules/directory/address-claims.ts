// Claims of email addresses. Contacts, their additional addresses and technicians each have a unique key of their own;
// the claim is unique across all three, so that two concurrent requests cannot give one address to two people.
import { duplicate, DuplicateKey, In, type Context, type Row } from '@keelson/core';
import { AddressClaim } from './entities/address-claim.ts';

type Kind = Row<typeof AddressClaim>['kind'];

/**
 * Claims a normalised address for a person.
 * @throws duplicate() if it is taken
 */
export async function claim({ db }: Context, email_key: string, kind: Kind): Promise<void> {
  try {
    await db.insert(AddressClaim, { email_key, kind });
  } catch (error) {
    if (error instanceof DuplicateKey) throw duplicate('email is already in use');
    throw error;
  }
}

/**
 * Claims the addresses of many new contacts at once.
 * @throws DuplicateKey if one is taken
 */
export async function claimAll({ db }: Context, keys: readonly string[]): Promise<void> {
  if (keys.length > 0)
    await db.insert(
      AddressClaim,
      keys.map((email_key) => ({ email_key, kind: 'contact' as const })),
    );
}

/** Releases claims of addresses that no one of this kind has any more. */
export async function release({ db }: Context, keys: readonly (string | null)[], kind: Kind): Promise<void> {
  const email_key = keys.flatMap((each) => each ?? []);
  if (email_key.length > 0) await db.delete(AddressClaim, { email_key: In(email_key), kind });
}
