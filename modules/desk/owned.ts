// What technicians keep for themselves and may share: who changes it, and how much of it there is.
import { conflict, forbidden, notFound } from '@keelson/core';
import type { Desk } from './access.ts';
import type { ReplyTemplate, SavedView } from './entities.ts';

type Owned = typeof SavedView | typeof ReplyTemplate;

/** Of one person, and of all that are shared. */
const MOST_OWN = 100;
const MOST_SHARED = 200;

/** Own ones are changed by their owner; shared ones by administrators, too. @throws notFound(); forbidden() */
export function requireOwner(
  { actor }: Desk,
  { user_id, shared }: { readonly user_id: number; readonly shared: boolean },
  title: string,
): void {
  if (user_id === actor.user_id) return;
  if (!shared) throw notFound(title);
  if (actor.role !== 'administrator') throw forbidden('Only administrators change what others share');
}

/** @throws conflict() when the caller has too many already */
export async function requireRoom({ db, actor }: Desk, of: Owned, called: string): Promise<void> {
  if ((await db.count<Owned>(of, { user_id: actor.user_id })) < MOST_OWN) return;
  throw conflict(`There are ${MOST_OWN} ${called} already; delete some first`);
}

/** @throws forbidden() unless the caller may share; conflict() when there are too many */
export async function requireSharing({ db, actor }: Desk, of: Owned, called: string): Promise<void> {
  if (actor.role !== 'administrator') throw forbidden(`Only administrators share ${called}`);
  if ((await db.count<Owned>(of, { shared: true })) < MOST_SHARED) return;
  throw conflict(`There are ${MOST_SHARED} shared ${called} already; delete some first`);
}
