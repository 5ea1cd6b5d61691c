// All policies with their calendars, read together and cached for two seconds, because every ticket change needs them.
import { cache, invalidateOnChange, IsNull, normalised, perApp, type Context } from '@keelson/core';
import { readSlot } from '@keelson/core/plugin';
import { readAssetTypes, TicketContracts, type Ticket } from '@keelson/modules/tickets';
import { LevelCalendar, LevelHoliday, weekdays, type OpeningSpan } from './calendars/entities.ts';
import type { OutageSpan, Plan } from './clocks/replay.ts';
import { LevelPolicy } from './policies/entities.ts';
import { CompanyOutages } from './slots.ts';
import { aroundTheClock, type Span, type WorkingHours } from './working-time.ts';

export interface Plans {
  /** In order of precedence. */
  readonly policies: readonly LevelPolicy[];
  hoursOf(policy: LevelPolicy): WorkingHours;
}

/** How long a process may use cached policies. */
export const PLANS_KEPT = { seconds: 2 } as const;

const kept = perApp((app) => {
  const plans = cache(app, (db: Context['db'], _key: 'all') => readCurrentPlans(db), PLANS_KEPT);
  invalidateOnChange(app, plans, [LevelCalendar, LevelHoliday, LevelPolicy]);
  return plans;
});

/** Returns the plans, at most two seconds old. Runs no statement while they are cached. */
export const readPlans = (ctx: Context): Promise<Plans> => kept(ctx.app).get(ctx.db, 'all');

/** Reads the plans, bypassing the cache. */
export async function readCurrentPlans(db: Context['db']): Promise<Plans> {
  const order = { position: 'ASC', policy_id: 'ASC' } as const;
  const policies = await db.find(LevelPolicy, { where: { deleted_at: IsNull() }, order });
  if (policies.length === 0) return { policies, hoursOf: () => aroundTheClock };
  const calendars = await db.findBy(LevelCalendar, { deleted_at: IsNull() });
  const holidays = Map.groupBy(await db.find(LevelHoliday), (each) => each.calendar_id);
  const hours = new Map(
    calendars.map((each) => [each.calendar_id, hoursOf(each, holidays.get(each.calendar_id) ?? [])]),
  );
  const usual = calendars.find((each) => each.is_default)?.calendar_id ?? 0;
  return { policies, hoursOf: ({ calendar_id }) => hours.get(calendar_id ?? usual) ?? aroundTheClock };
}

/** Builds the working hours of a calendar. */
export function hoursOf({ time_zone, hours }: LevelCalendar, holidays: readonly LevelHoliday[]): WorkingHours {
  const spansOf = (spans: readonly OpeningSpan[]) =>
    spans.map((each): Span => [minuteOf(each.from), minuteOf(each.to)]);
  return {
    time_zone,
    week: weekdays.map((weekday) => spansOf(hours.filter((each) => each.weekday === weekday))),
    days: new Map(holidays.map((each) => [each.day, spansOf(each.hours)])),
  };
}

function minuteOf(time: string): number {
  const [hour = 0, minute = 0] = time.split(':').map(Number);
  return hour * 60 + minute;
}

/** Returns the first active policy that covers each ticket. */
export async function choosePolicies(
  ctx: Context,
  { policies }: Plans,
  tickets: readonly Ticket[],
): Promise<(ticket: Ticket) => LevelPolicy | undefined> {
  const active = policies.filter((each) => each.active);
  const ids = tickets.map(({ ticket_id }) => ticket_id);
  const contractsOf = await readSlot(ctx, TicketContracts, active.some((each) => each.contract_id !== null) ? ids : []);
  const types = active.some((each) => each.asset_type !== '') ? await readAssetTypes(ctx, ids) : undefined;
  return ({ ticket_id, company_number, site_number, team_id, job_type }) =>
    active.find(
      (each) =>
        (each.company_number === null || each.company_number === company_number) &&
        (each.site_number === null || each.site_number === site_number) &&
        (each.team_id === null || each.team_id === team_id) &&
        (each.job_type === '' || normalised(each.job_type) === normalised(job_type)) &&
        (each.asset_type === '' ||
          (types?.get(ticket_id) ?? []).some((type) => normalised(type) === normalised(each.asset_type))) &&
        (each.contract_id === null ||
          contractsOf(ticket_id).some(({ contract_id }) => contract_id === each.contract_id)),
    );
}

/** Outages that may pause a clock. */
export type OutagesOf = (ticket: Pick<Ticket, 'company_number'>) => readonly OutageSpan[];

/** A ticket and the policy that covers it. */
export interface Covered {
  readonly ticket: Ticket;
  readonly policy: LevelPolicy;
}

/** Returns a lookup of the outages of the tickets' companies. Runs no statement if no policy pauses during outages. */
export async function readOutages(ctx: Context, covered: readonly Covered[]): Promise<OutagesOf> {
  const pausing = covered.filter(({ policy }) => policy.pause_during_outages);
  const of = await readSlot(ctx, CompanyOutages, [...new Set(pausing.map(({ ticket }) => ticket.company_number))]);
  return ({ company_number }) => of(company_number);
}

/** Returns the targets of a policy for a ticket, and what pauses its clocks. */
export function planOf({ hoursOf }: Plans, policy: LevelPolicy, ticket: Ticket, outagesOf: OutagesOf): Plan {
  const { priority } = ticket;
  const target = policy.targets.find((each) => each.priority === priority);
  return {
    hours: hoursOf(policy),
    minutes: {
      response: target?.response_minutes ?? null,
      next_response: target?.next_response_minutes ?? null,
      resolution: target?.resolution_minutes ?? null,
    },
    outages: policy.pause_during_outages ? outagesOf(ticket) : [],
    pauses: {
      on_hold: policy.pause_on_hold,
      customer: policy.pause_waiting_for_customer,
      approval: policy.pause_waiting_for_approval,
    },
    warnings: policy.warnings.map(({ percent }) => percent),
  };
}
