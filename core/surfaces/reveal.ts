// Telling a stored secret to somebody who asks for it by name: the same rules wherever there are secrets (AS-06, I-03).
import type { Context } from '../plugin/context.ts';
import { Problem, tooMany } from '../kit/problem.ts';
import type { Access, Permission } from '../plugin/surface.ts';
import type { Admin } from './admin.ts';

const PER_MINUTE = 10;
const UNCONFIRMED = 'Confirm your password or a code first';

/** The member of that refusal; a route that reveals declares it as its `forbiddenExtra`. */
export const needsProof = { confirm_required: true } as const;

const isUnconfirmed = (actor: unknown): boolean =>
  actor instanceof Object &&
  'kind' in actor &&
  actor.kind === 'technician' &&
  !('confirmed' in actor && actor.confirmed);

/** Access for technicians with the permission, and for keys with it that were made to reveal secrets (SF-14). */
export function revealers(permission: Permission<Admin>): Access<Admin> {
  return Object.freeze({
    title: `${permission.name} (keys: allow_reveal)`,
    allows: (actor: Admin) => permission.allows(actor) && (actor.kind === 'technician' || actor.allow_reveal),
  });
}

/**
 * Charges the caller for being told a secret, of whatever kind. Call it outside a transaction, in a `slow` POST that tells
 * one secret and logs that in a transaction of its own before it answers.
 * @throws tooMany() beyond ten a minute; forbidden, with `confirm_required`, for a technician who has not proved who they are
 * in this session: somebody who sits down at an unlocked screen gets no passwords
 */
export async function chargeReveal({ app, actor, author }: Context): Promise<void> {
  if (isUnconfirmed(actor)) throw new Problem('forbidden', UNCONFIRMED, { extra: needsProof });
  const { allowed, retryAfter } = await app.limiter.take(`reveal:${author.type}:${String(author.id)}`, PER_MINUTE);
  if (!allowed) throw tooMany(retryAfter);
}
