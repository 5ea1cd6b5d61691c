// Serialises PDF creation: a document occupies a core for seconds and its rows need much memory, so a process makes one
// at a time. Tenants take turns, and within a tenant its companies do.
import type { App } from '../plugin/app.ts';
import type { Context } from '../plugin/context.ts';
import { perApp } from '../plugin/per-app.ts';
import { tooMany } from '../kit/problem.ts';
import { fairQueue } from '../kit/fair-queue.ts';

/** Maximum queued documents per company, key or technician, and per tenant. */
const WAITING = 3;
const WAITING_IN_ALL = 20;
const RETRY_SECONDS = 10;

const full = () => tooMany(RETRY_SECONDS, 'Too many documents are being generated: try again in a moment');

const amongTenants = fairQueue({ atOnce: 1, waiting: WAITING_IN_ALL, full });
const amongOwners = perApp((_app: App) =>
  fairQueue({ atOnce: 1, waiting: WAITING, waitingInAll: WAITING_IN_ALL, full }),
);

/** Runs `work` when it is the caller's turn. @throws tooMany() when too many documents are queued */
export function inPdfTurn<R>(ctx: Context, work: () => Promise<R>): Promise<R> {
  const { app } = ctx;
  return amongOwners(app)(ownerOf(ctx), () => amongTenants(app.config.tenantSlug, work));
}

/** Returns the queue's owner: an employee's company, otherwise the technician or key. */
function ownerOf({ actor, author }: Context): string {
  if (typeof actor === 'object' && actor !== null && 'company_number' in actor) {
    return `company:${String(actor.company_number)}`;
  }
  return `${author.type}:${author.id}`;
}
