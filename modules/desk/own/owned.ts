// Items that technicians own and may share: who may change them, and how many there may be.
import { conflict, forbidden, notFound } from '@keelson/core';
import type { Desk } from '../access.ts';
import type { ReplyTemplate, SavedView } from '../entities.ts';

type Owned = typeof SavedView | typeof ReplyTemplate;

/** Maximum per person, and of all shared items. */
const MOST_OWN = 100;
const MOST_SHARED = 200;

/**
 * Requires that the caller may change an item: the owner, or an administrator if it is shared.
 * @throws notFound(); forbidden()
 */
export function requireOwner(
  { actor }: Desk,
  { user_id, shared }: { readonly user_id: number; readonly shared: boolean },
  title: string,
): void {
  if (user_id === actor.user_id) return;
  if (!shared) throw notFound(title);
  if (actor.role !== 'administrator') throw forbidden('Only administrators can change items shared by others');
}

/** Requires that the caller is below the limit. @throws conflict() otherwise */
export async function requireRoom({ db, actor }: Desk, of: Owned, called: string): Promise<void> {
  if ((await db.countBy<Owned>(of, { user_id: actor.user_id })) < MOST_OWN) return;
  throw conflict(`Limit of ${MOST_OWN} ${called} reached: delete some first`);
}

/**
 * Requires that the caller may share another item.
 * @throws forbidden() for non-administrators; conflict() above the limit
 */
export async function requireSharing({ db, actor }: Desk, of: Owned, called: string): Promise<void> {
  if (actor.role !== 'administrator') throw forbidden(`Only administrators can share ${called}`);
  if ((await db.countBy<Owned>(of, { shared: true })) < MOST_SHARED) return;
  throw conflict(`Limit of ${MOST_SHARED} shared ${called} reached: delete some first`);
}
