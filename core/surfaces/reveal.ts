// Telling a stored secret: the same rules wherever one is told (AS-06, I-03).
import type { Context } from '../plugin/context.ts';
import { forbidden, tooMany } from '../kit/problem.ts';
import type { Admin } from './admin.ts';
import type { Employee } from './helpdesk.ts';

const PER_MINUTE = 10;

/**
 * Whether the caller may be told a stored secret now: a key only when it was made for that, and nobody more than ten a
 * minute. Call it outside a transaction, in a `slow` POST that tells one secret and logs it before it answers.
 * @throws forbidden(); `too-many`
 */
export async function permitReveal({ app, actor, author }: Context<Admin | Employee>): Promise<void> {
  if ('kind' in actor && actor.kind === 'key' && !actor.allow_reveal)
    throw forbidden('This key may not reveal secrets');
  const { allowed, retryAfter } = await app.limiter.take(`reveal:${author.type}:${String(author.id)}`, PER_MINUTE);
  if (!allowed) throw tooMany(retryAfter);
}
