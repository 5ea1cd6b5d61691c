// Service status derived from active outages.
import { sql, type Context, type Timestamp } from '@keelson/core';
import { fromDatabase } from '@keelson/core/kit';
import { serviceStates, type ServiceState } from '../shapes.ts';

export interface State {
  readonly status: ServiceState;
  readonly active_outage_id: number | null;
  readonly since: Timestamp | null;
}

const operatingNormally: State = Object.freeze({ status: 'operating_normally', active_outage_id: null, since: null });

interface Active {
  readonly outage_id: number;
  readonly service_id: number;
  readonly planned: number;
  readonly started_at: string;
}

/**
 * Returns the status of each service: the worst of its active outages, both of all companies and of `company`. A
 * planned outage counts as maintenance.
 */
export async function readStates(
  ctx: Pick<Context, 'db'>,
  { company }: { readonly company: number | null },
): Promise<(service_id: number) => State> {
  const rows = await ctx.db
    .query<Active>(sql`SELECT outage_id, service_id, scheduled_start IS NOT NULL AS planned, started_at
    FROM outage WHERE status = 'active' AND (company_number IS NULL OR company_number = ${company})
    ORDER BY started_at, outage_id`);
  const states = new Map<number, State>();
  for (const row of rows) {
    const status = Number(row.planned) ? 'maintenance' : 'outage';
    const known = states.get(row.service_id);
    if (known && rank(known.status) >= rank(status)) continue;
    states.set(row.service_id, { status, active_outage_id: row.outage_id, since: fromDatabase(row.started_at) });
  }
  return (service_id) => states.get(service_id) ?? operatingNormally;
}

/** Returns the worst of several statuses, for the headline. */
export function worstOf(states: readonly ServiceState[]): ServiceState {
  return states.reduce<ServiceState>((worst, each) => (rank(each) > rank(worst) ? each : worst), 'operating_normally');
}

const rank = (state: ServiceState): number => serviceStates.indexOf(state);
