// A document takes a core for seconds and its rows much memory, so one is made at a time in a process. Tenants take turns,
// and among a tenant's documents its companies do.
import type { App } from '../plugin/app.ts';
import type { Context } from '../plugin/context.ts';
import { perApp } from '../plugin/per-app.ts';
import { tooMany } from '../kit/problem.ts';
import { fairQueue } from '../kit/fair-queue.ts';

/** Documents of one company, key or technician that may wait, and of a tenant altogether. */
const WAITING = 3;
const WAITING_IN_ALL = 20;
const RETRY_SECONDS = 10;

const full = () => tooMany(RETRY_SECONDS, 'Too many documents are being made; try again in a moment');

const amongTenants = fairQueue({ atOnce: 1, waiting: WAITING_IN_ALL, full });
const amongOwners = perApp((_app: App) =>
  fairQueue({ atOnce: 1, waiting: WAITING, waitingInAll: WAITING_IN_ALL, full }),
);

/** Runs `work` when it is the turn of whoever asks. @throws too-many when too much waits already */
export function inPdfTurn<R>(ctx: Context, work: () => Promise<R>): Promise<R> {
  const { app } = ctx;
  return amongOwners(app)(ownerOf(ctx), () => amongTenants(app.config.tenantSlug, work));
}

/** An employee's company, whose people share its turn; else who they are. */
function ownerOf({ actor, author }: Context): string {
  if (typeof actor === 'object' && actor !== null && 'company_number' in actor) {
    return `company:${String(actor.company_number)}`;
  }
  return `${author.type}:${author.id}`;
}
