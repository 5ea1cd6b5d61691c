// Queues for work that occupies a core. Tenants take turns, and within a tenant its callers do, so that nobody's backlog
// delays the others.
import { fairQueue, type TurnOptions } from '@keelson/kit/fair-queue.ts';
import { addressBucket } from '@keelson/security/address.ts';
import type { Context } from './context.ts';
import { perApp } from './per-app.ts';

/** Runs `work` in the caller's turn and returns its result. @throws the error of `full` if too much work is queued */
export type CallerTurns = <R>(ctx: Context, work: () => Promise<R>) => Promise<R>;

/** Creates a queue whose lines are per caller: an employee's company, a technician, a key, or an address. */
export function callerTurns(options: TurnOptions & { readonly waitingInAll: number }): CallerTurns {
  const { atOnce, waitingInAll, full } = options;
  const amongTenants = fairQueue({ atOnce, waiting: waitingInAll, full });
  const amongCallers = perApp(() => fairQueue(options));
  return (ctx, work) => amongCallers(ctx.app)(callerOf(ctx), () => amongTenants(ctx.app.config.tenantSlug, work));
}

function callerOf({ actor, author, request }: Context): string {
  if (typeof actor === 'object' && actor !== null && 'company_number' in actor) {
    return `company:${String(actor.company_number)}`;
  }
  return author.id === null ? addressBucket(request.ip) : `${author.type}:${author.id}`;
}
