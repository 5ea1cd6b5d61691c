// How services are: from the outages that are active just now.
import { sql, type Context, type Timestamp, fromDatabase } from '@keelson/core';
import type { OutageService } from './entities.ts';
import { serviceStates, type ServiceState } from './shapes.ts';

export type Services = readonly OutageService[];

export interface State {
  readonly status: ServiceState;
  readonly active_outage_id: number | null;
  readonly since: Timestamp | null;
}

const fine: State = Object.freeze({ status: 'operating_normally', active_outage_id: null, since: null });

interface Active {
  readonly outage_id: number;
  readonly service_id: number;
  readonly planned: number;
  readonly started_at: string;
}

/**
 * The state of each service, the worst of its active outages: everybody's, and those of the company if one is named.
 * An outage that was planned is maintenance.
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
  return (service_id) => states.get(service_id) ?? fine;
}

/** The worst of several: what one glance should tell. */
export function worst(states: readonly ServiceState[]): ServiceState {
  return states.reduce<ServiceState>((bad, each) => (rank(each) > rank(bad) ? each : bad), 'operating_normally');
}

const rank = (state: ServiceState): number => serviceStates.indexOf(state);
