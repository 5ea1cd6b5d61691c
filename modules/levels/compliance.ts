// SLA compliance: figures by policy, company, team or month of the clock's start, from an index on days.
import {
  addDays,
  In,
  invalid,
  notFound,
  plus,
  show,
  sql,
  today,
  toDatabase,
  z,
  type Context,
  type Day,
  type Sql,
} from '@keelson/core';
import { joined } from '@keelson/core/database';
import { readSlot } from '@keelson/core/plugin';
import { CompanyNames } from '@keelson/modules/directory';
import { KnownTeams, Ticket, TicketItem } from '@keelson/modules/tickets';
import { kinds, LevelClock, type Kind } from './clocks/entities.ts';
import { PolicyNames } from './names.ts';

export const groups = ['policy', 'company', 'team', 'month'] as const;
export type Group = (typeof groups)[number];

export const ComplianceRow = z.object({
  /** Identifies the row: `policy-3-response`. */
  key: z.string(),
  /** The policy, company, team or month of the row. */
  name: z.string(),
  /** The group of this row: only the value for `group` is set. */
  policy_id: z.int().nullable(),
  policy_name: z.string().nullable(),
  company_number: z.int().nullable(),
  company_name: z.string().nullable(),
  /** Also null for tickets without a team. */
  team_id: z.int().nullable(),
  team_name: z.string().nullable(),
  month: z.string().nullable(),
  kind: z.enum(kinds),
  /** The number of clocks. */
  clocks: z.int(),
  /** Clocks that ended in time. */
  met: z.int(),
  /** Clocks that missed their target, whether or not they have ended. */
  breached: z.int(),
  /** Clocks that missed their target and are still running. */
  open_breached: z.int(),
  /** Clocks that are running or paused and have not missed their target. */
  open: z.int(),
  /** Percentage of `met` among `met` and `breached`; null if both are zero. */
  met_percent: z.number().nullable(),
});
export type ComplianceRow = z.infer<typeof ComplianceRow>;

export interface Asked {
  readonly group: Group;
  readonly from?: Day | undefined;
  readonly to?: Day | undefined;
  readonly policy_id?: number | undefined;
  readonly company_number?: number | undefined;
  readonly team_id?: number | undefined;
}

const MeasuredTicket = z.object({
  ticket_id: z.int(),
  ticket_number: z.int(),
  subject: z.string(),
  company_name: z.string(),
  started_at: z.iso.datetime(),
  /** When the target is or was reached; null while paused, and if it was met. */
  due_at: z.iso.datetime().nullable(),
  ended_at: z.iso.datetime().nullable(),
});

/** A row with its tickets. */
export const ComplianceDetail = ComplianceRow.extend({
  /** Tickets that missed the target, the latest first. */
  missed: z.array(MeasuredTicket),
  /** Tickets that met it, or still may, the latest first. */
  others: z.array(MeasuredTicket),
});

const MOST_ROWS = 3000;
/** Tickets shown of each kind. */
const MOST_TICKETS = 200;

interface Found {
  readonly value: string | number;
  readonly kind: Kind;
  readonly clocks: unknown;
  readonly met: unknown;
  readonly breached: unknown;
  readonly open_breached: unknown;
}

/** Returns the figures of the clocks started in a period; by default this month and the eleven before it. */
export async function readCompliance(ctx: Context, asked: Asked): Promise<ComplianceRow[]> {
  const { group, from = yearBefore(today(ctx)), to = '9999-12-31', policy_id, company_number, team_id } = asked;
  const value = values[group];
  const missed = isMissed(ctx);
  const where = [
    sql`started_on >= ${from}`,
    sql`started_on <= ${to}`,
    ...(policy_id === undefined ? [] : [sql`policy_id = ${policy_id}`]),
    ...(company_number === undefined ? [] : [sql`company_number = ${company_number}`]),
    ...(team_id === undefined ? [] : [sql`team_id = ${team_id}`]),
  ];
  const rows = await ctx.db.query<Found>(sql`SELECT ${value} AS value, kind, COUNT(*) AS clocks,
      SUM(CASE WHEN met_at IS NOT NULL AND NOT ${missed} THEN 1 ELSE 0 END) AS met,
      SUM(CASE WHEN ${missed} THEN 1 ELSE 0 END) AS breached,
      SUM(CASE WHEN ${missed} AND met_at IS NULL THEN 1 ELSE 0 END) AS open_breached
    FROM level_clock WHERE ${joined(where, ' AND ')} GROUP BY ${value}, kind
    ORDER BY value, CASE kind WHEN 'response' THEN 1 WHEN 'next_response' THEN 2 ELSE 3 END LIMIT ${MOST_ROWS + 1}`);
  if (rows.length > MOST_ROWS) throw invalid('Too many rows: filter by policy or company');
  const nameOf = await readNames(ctx, group, rows);
  return rows.map((each) => rowOf(group, each, nameOf));
}

const values: Readonly<Record<Group, Sql>> = {
  policy: sql`policy_id`,
  company: sql`company_number`,
  team: sql`COALESCE(team_id, 0)`,
  month: sql`SUBSTR(started_on, 1, 7)`,
};

/** The job may take a few seconds to notice a breach. */
const isMissed = ({ now }: Context): Sql => sql`(due_at IS NOT NULL AND due_at <= ${toDatabase(now)})`;

const KEY = /^(policy|company|team|month)-(\d{1,9}|\d{4}-\d{2})-(response|next_response|resolution)$/;

/** Returns a row with its tickets, by its key. @throws notFound() */
export async function readComplianceOf(ctx: Context, key: string): Promise<z.infer<typeof ComplianceDetail>> {
  const [, group, value = '', kind] = KEY.exec(key) ?? [];
  if (group === undefined || kind === undefined || (group === 'month') !== value.includes('-'))
    throw notFound('Figure');
  const [from, to] = group === 'month' ? monthOf(value) : [yearBefore(today(ctx)), '9999-12-31'];
  const row = (await readCompliance(ctx, { group: group as Group, from, to })).find((each) => each.key === key);
  if (!row) throw notFound('Figure');
  const where = sql`${values[group as Group]} = ${group === 'month' ? value : Number(value)} AND kind = ${kind}
    AND started_on >= ${from} AND started_on <= ${to}`;
  const missed = await readTickets(ctx, kind as Kind, sql`${where} AND ${isMissed(ctx)} ORDER BY due_at DESC`);
  const others = await readTickets(ctx, kind as Kind, sql`${where} AND NOT ${isMissed(ctx)} ORDER BY started_at DESC`);
  return { ...row, missed, others };
}

function monthOf(month: string): [from: Day, to: Day] {
  const first = `${month}-01`;
  return [first, addDays(`${addDays(first, 31).slice(0, 7)}-01`, -1)];
}

/** Returns the tickets of some clocks, in their order. */
async function readTickets(ctx: Context, kind: Kind, which: Sql): Promise<z.infer<typeof MeasuredTicket>[]> {
  const keys = await ctx.db.query<{ ticket_id: number; round: number }>(
    sql`SELECT ticket_id, round FROM level_clock WHERE ${which}, ticket_id DESC LIMIT ${MOST_TICKETS}`,
  );
  const ticket_id = In([...new Set(keys.map((each) => Number(each.ticket_id)))]);
  const clocks = await ctx.db.findBy(LevelClock, { ticket_id, kind });
  const tickets = await show(ctx, TicketItem, await ctx.db.findBy(Ticket, { ticket_id }));
  return keys.flatMap((each) => {
    const ticket = tickets.find((one) => one.ticket_id === Number(each.ticket_id));
    const clock = clocks.find((one) => one.ticket_id === Number(each.ticket_id) && one.round === Number(each.round));
    if (!ticket || !clock) return [];
    const { ticket_number, subject, company_name } = ticket;
    const { started_at, due_at, met_at: ended_at } = clock;
    return { ticket_id: clock.ticket_id, ticket_number, subject, company_name, started_at, due_at, ended_at };
  });
}

function yearBefore(day: Day): Day {
  return `${plus(`${day.slice(0, 7)}-15T00:00:00.000Z`, { days: -335 }).slice(0, 7)}-01`;
}

async function readNames(ctx: Context, group: Group, rows: readonly Found[]): Promise<(id: number) => string> {
  const { app, db } = ctx;
  if (group === 'month') return () => '';
  const ids = [...new Set(rows.map(({ value }) => Number(value)))];
  if (group === 'team') {
    const teamOf = await readSlot(ctx, KnownTeams, ids);
    return (id) => (id === 0 ? 'No team' : (teamOf(id)?.name ?? ''));
  }
  const names = await app.names.get(db, group === 'policy' ? PolicyNames : CompanyNames, ids);
  return (id) => names.get(id) ?? '';
}

function rowOf(group: Group, found: Found, nameOf: (id: number) => string): ComplianceRow {
  const [clocks, met, breached] = [Number(found.clocks), Number(found.met), Number(found.breached)];
  const id = Number(found.value);
  const ended = met + breached;
  return {
    key: `${group}-${found.value}-${found.kind}`,
    name: group === 'month' ? String(found.value) : nameOf(id),
    policy_id: group === 'policy' ? id : null,
    policy_name: group === 'policy' ? nameOf(id) : null,
    company_number: group === 'company' ? id : null,
    company_name: group === 'company' ? nameOf(id) : null,
    team_id: group === 'team' && id > 0 ? id : null,
    team_name: group === 'team' ? nameOf(id) : null,
    month: group === 'month' ? String(found.value) : null,
    kind: found.kind,
    clocks,
    met,
    breached,
    open_breached: Number(found.open_breached),
    open: clocks - ended,
    met_percent: ended === 0 ? null : Math.round((met / ended) * 1000) / 10,
  };
}
