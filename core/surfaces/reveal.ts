// Reveals a stored secret on request, under the same rules for every kind of secret (AS-06, I-03).
import { Problem, tooMany } from '@keelson/kit/problem.ts';
import type { Context } from '../plugin/context.ts';
import type { Access, Permission } from '../plugin/route/surface.ts';
import type { Admin } from './admin.ts';

const PER_MINUTE = 10;
const UNCONFIRMED = 'Confirm your password or a code first';

/** The extra member of that refusal. A revealing route declares it as its `forbiddenExtra`. */
export const needsProof = { confirm_required: true } as const;

const isUnconfirmed = (actor: unknown): boolean =>
  actor instanceof Object &&
  'kind' in actor &&
  actor.kind === 'technician' &&
  !('confirmed' in actor && actor.confirmed);

/** Access for technicians with the permission, and for keys with it that allow revealing secrets (SF-14). */
export function revealers(permission: Permission<Admin>): Access<Admin> {
  return Object.freeze({
    title: `${permission.name} (keys: allow_reveal)`,
    allows: (actor: Admin) => permission.allows(actor) && (actor.kind === 'technician' || actor.allow_reveal),
  });
}

/**
 * Charges the caller for revealing a secret of any kind. Call it outside a transaction, in a `slow` POST that reveals
 * one secret and logs it in its own transaction before responding.
 * @throws tooMany() beyond ten a minute; forbidden, with `confirm_required`, for a technician who has not
 * re-authenticated in this session, so that an unlocked screen does not give access to passwords
 */
export async function chargeReveal({ app, actor, author }: Context): Promise<void> {
  if (isUnconfirmed(actor)) throw new Problem('forbidden', UNCONFIRMED, { extra: needsProof });
  const { allowed, retryAfter } = await app.limiter.take(`reveal:${author.type}:${String(author.id)}`, PER_MINUTE);
  if (!allowed) throw tooMany(retryAfter);
}
