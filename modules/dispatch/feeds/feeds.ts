// A technician's calendar feeds and their contents.
import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { conflict, In, invalid, IsNull, LessThan, MoreThan, notFound, plus, z, type Context } from '@keelson/core';
import { newId } from '@keelson/core/kit';
import { callerWording, type StoredAnswer, type Wording } from '@keelson/core/plugin';
import { contextAs, providerName } from '@keelson/modules/accounts';
import { Technician, TechnicianNames } from '@keelson/modules/directory';
import { readAbsencesBetween, readRotas, Team, TeamMember } from '@keelson/modules/teams';
import { ReadTickets } from '@keelson/modules/tickets';
import { titles } from '../appointments/appointments.ts';
import { Appointment } from '../appointments/entities.ts';
import { readTicketNames } from '../appointments/ticket-names.ts';
import { icsOf, type CalendarEvent } from '../ics.ts';
import { addressOf, feedIn, isTokenOf } from './address.ts';
import { CalendarFeed, feedKinds } from './entities.ts';

export const FeedShape = z.object({
  feed_id: z.int(),
  kind: z.enum(feedKinds),
  team_id: z.int().nullable(),
  team_name: z.string().nullable(),
  busy_only: z.boolean(),
  address: z.string(),
  created_at: z.iso.datetime(),
});

type Translate = Wording['t'];

const MOST_FEEDS = 20;
const PAST_DAYS = 30;
const COMING_DAYS = 180;
const MOST_EVENTS = 5000;

/** Returns a technician's feeds with their URLs. */
export async function listFeeds(ctx: Context, user_id: number): Promise<z.infer<typeof FeedShape>[]> {
  const feeds = await ctx.db.find(CalendarFeed, { where: { user_id }, order: { feed_id: 'ASC' }, take: MOST_FEEDS });
  const teams = await ctx.db.findBy(Team, { team_id: In(feeds.flatMap(({ team_id }) => team_id ?? [])) });
  return feeds.map((feed) => ({
    ...{ feed_id: feed.feed_id, kind: feed.kind, team_id: feed.team_id, busy_only: feed.busy_only },
    team_name: teams.find((each) => each.team_id === feed.team_id)?.name ?? null,
    address: addressOf(ctx.app, feed),
    created_at: feed.created_at,
  }));
}

export interface NewFeed {
  readonly kind: CalendarFeed['kind'];
  readonly team_id?: number | undefined;
  readonly busy_only?: boolean | undefined;
}

/** Adds a feed. @throws invalid() if a required team is missing or does not exist; conflict() if there are too many */
export async function addFeed(ctx: Context, user_id: number, { kind, team_id, busy_only }: NewFeed): Promise<void> {
  const { db, now: created_at } = ctx;
  if (kind === 'own' && team_id !== undefined) throw invalid('team_id must be omitted for your own calendar');
  if (kind !== 'own' && !(team_id && (await db.existsBy(Team, { team_id, deleted_at: IsNull() }))))
    throw invalid('team_id must be an existing team');
  // Locks the person, so that concurrent requests cannot exceed the maximum.
  await db.findOne(Technician, { where: { user_id }, lock: { mode: 'pessimistic_write' } });
  if ((await db.countBy(CalendarFeed, { user_id })) >= MOST_FEEDS)
    throw conflict(`A technician can have at most ${MOST_FEEDS} calendar feeds`);
  const row = { user_id, kind, team_id: team_id ?? null, busy_only: busy_only ?? false, nonce: newId(), created_at };
  const feed_id = await db.insertReturningId(CalendarFeed, row);
  ctx.record({
    action: 'create',
    entity_type: 'calendar_feed',
    entity_id: feed_id,
    description: 'Calendar feed added',
  });
}

/**
 * Revokes a technician's feed.
 * @throws notFound()
 */
export async function removeFeed(ctx: Context, user_id: number, feed_id: number): Promise<void> {
  if (!(await ctx.db.existsBy(CalendarFeed, { feed_id, user_id }))) throw notFound('Calendar feed');
  await ctx.db.delete(CalendarFeed, { feed_id });
  ctx.record({
    action: 'delete',
    entity_type: 'calendar_feed',
    entity_id: feed_id,
    description: 'Calendar feed revoked',
  });
}

/**
 * Returns the calendar for a token.
 * @throws notFound() if the feed was revoked or its owner has left
 */
export async function readFeed(ctx: Context, token: string): Promise<StoredAnswer> {
  const feed = await ctx.db.findOneBy(CalendarFeed, { feed_id: feedIn(token) });
  if (!feed || !isTokenOf(ctx.app, feed, token)) throw notFound('Calendar feed');
  const owner = await contextAs(ctx.app, { type: 'technician', id: feed.user_id });
  if (!owner || !('role' in owner.actor) || !ReadTickets.allows(owner.actor)) throw notFound('Calendar feed');
  const { t } = await callerWording(owner);
  const found = feed.kind === 'on_call' ? await readDuty(ctx, feed, t) : await readPlanned(ctx, feed, t);
  const events = feed.busy_only ? found.map((each) => withoutContents(feed, each, t('Busy'))) : found;
  const bytes = Buffer.from(icsOf(ctx.app, { name: await providerName(ctx), method: 'PUBLISH', events }));
  return {
    name: 'calendar.ics',
    type: 'text/calendar; charset=utf-8',
    size: bytes.length,
    sha256: createHash('sha256').update(bytes).digest('hex'),
    modified: ctx.now,
    open: async (range) => Readable.from([range ? bytes.subarray(range.from, range.to + 1) : bytes]),
  };
}

/**
 * The parts of an event included in a feed that shows only busy times. Its identifier and its stamp are the same for
 * appointments and absences.
 */
const withoutContents = (
  { nonce }: CalendarFeed,
  { key, span, sequence = 0 }: CalendarEvent,
  summary: string,
): CalendarEvent => ({
  key: createHash('sha256').update(`${nonce} ${key}`).digest('hex').slice(0, 32),
  ...{ span, sequence },
  changed_at: 'first' in span ? `${span.first}T00:00:00.000Z` : span[0],
  summary,
});

async function readPlanned(ctx: Context, feed: CalendarFeed, t: Translate): Promise<CalendarEvent[]> {
  const { db, now, app } = ctx;
  const team = feed.kind === 'team';
  const members = team ? await db.findBy(TeamMember, { team_id: feed.team_id ?? 0 }) : [];
  const user_ids = team ? members.map((each) => each.user_id) : [feed.user_id];
  const [from, to] = [plus(now, { days: -PAST_DAYS }), plus(now, { days: COMING_DAYS })];
  const appointments = await db.find(Appointment, {
    where: { user_id: In(user_ids), starts_at: LessThan(to), ends_at: MoreThan(from) },
    order: { starts_at: 'ASC', appointment_id: 'ASC' },
    take: MOST_EVENTS,
  });
  const tickets = await readTicketNames(
    ctx,
    appointments.flatMap((each) => each.ticket_id ?? []),
  );
  const names = await app.names.get(db, TechnicianNames, user_ids);
  const titled = (user_id: number, what: string) => (team ? `${names.get(user_id) ?? ''}: ${what}` : what);
  const planned = appointments.map((each): CalendarEvent => {
    const ticket = each.ticket_id === null ? undefined : tickets.get(each.ticket_id);
    const kind = t(titles[each.kind]);
    const what = ticket ? `${kind}: #${ticket.ticket_number} ${ticket.subject}` : kind;
    return {
      key: `appointment-${each.appointment_id}`,
      sequence: each.sequence,
      span: [each.starts_at, each.ends_at],
      summary: titled(each.user_id, what),
      description: each.note,
      ...(ticket && { url: `${app.config.baseUrl}/admin/tickets/${ticket.ticket_number}` }),
      changed_at: each.updated_at,
    };
  });
  const absences = await readAbsencesBetween(ctx, user_ids, from, to);
  return [
    ...planned,
    ...absences.map(({ user_id, starts_at, ends_at }): CalendarEvent => ({
      key: `absence-${user_id}-${starts_at.replace(/\D/g, '')}`,
      span: [starts_at, ends_at],
      summary: titled(user_id, t('Absent')),
      changed_at: starts_at,
    })),
  ];
}

async function readDuty(ctx: Context, { team_id }: CalendarFeed, t: Translate): Promise<CalendarEvent[]> {
  const rotas = await readRotas(ctx, dayStart(ctx.now), plus(ctx.now, { days: COMING_DAYS }));
  const rota = rotas.find((each) => each.team_id === team_id);
  const shifts = rota?.shifts ?? [];
  const user_ids = [...new Set(shifts.flatMap(({ user_id }) => user_id ?? []))];
  const names = await ctx.app.names.get(ctx.db, TechnicianNames, user_ids);
  // Leave a gap where no one is on call.
  return shifts.flatMap(({ starts_at, ends_at, user_id }) => {
    if (user_id === null) return [];
    const key = `duty-${team_id}-${starts_at.replace(/\D/g, '')}`;
    const summary = t('On call ({team}): {name}', { team: rota?.team_name ?? '', name: names.get(user_id) ?? '' });
    return [{ key, span: [starts_at, ends_at] as const, summary, changed_at: starts_at }];
  });
}

/** Constant for the whole day, so that the feed does not change with every request. */
const dayStart = (now: string) => `${now.slice(0, 10)}T00:00:00.000Z` as const;
