// A process that lets histories of tickets happen, changes policies, or announces what is due, as lines on its input say:
// `act <from> <to>`, `replan <minute> <number>` and `announce <minute>`. It answers each with `done`.
import { createInterface } from 'node:readline/promises';
import { change, lock, type Context } from '@keelson/core';
import { theSystem, type Author } from '@keelson/core/log';
import { contextOf } from '@keelson/core/system';
import { createTicket, commentOnTicket, lockTicket, Ticket, updateTicket } from '@keelson/modules/tickets';
import { Calendars, changeCalendar } from '../../modules/levels/calendars/calendars.ts';
import { announceDue } from '../../modules/levels/clocks/announce.ts';
import { Policies } from '../../modules/levels/policies/policies.ts';
import { ActivityLine } from '../../packages/log/activity.ts';
import {
  FIRST_DAY,
  historyOf,
  randomFrom,
  REPLANNED,
  targetsOf,
  weekOf,
  type Act,
  type Happening,
} from './_clock-history.ts';
import { openOnClock } from './_open-app.ts';

const [seed = 0, tickets = 0, worker = 0, workers = 1, firstCompany = 0] = process.argv.slice(2).map(Number);
const start = Date.parse(`${FIRST_DAY}T00:00:00Z`);
let now = new Date(start).toISOString();
const app = await openOnClock(() => now);
const own = Array.from({ length: tickets }, (_, of) => of)
  .filter((of) => of % workers === worker)
  .flatMap((of) => historyOf(seed, of))
  .toSorted((a, b) => a.minute - b.minute || a.of - b.of || a.step - b.step);

const technician: Author = { type: 'technician', id: 1, name: 'Tess' };
const customer: Author = { type: 'employee', id: 1, name: 'Erin' };
const byCustomer = new Set<Act>(['create', 'ask']);

/** What the log says of a step that was committed. */
const markOf = ({ of, step, minute, act }: Happening) => `history ${of} ${step} ${minute} ${act}`;

async function happen(each: Happening): Promise<void> {
  setTime(each.minute);
  const author = byCustomer.has(each.act) ? customer : technician;
  await contextOf({ app, actor: undefined, author, now }).transaction(async (ctx) => {
    const ticket_id = each.act === 'create' ? (await create(ctx, each.of)).ticket_id : await ticketOf(ctx, each.of);
    if (each.act !== 'create') await apply(ctx, ticket_id, each.act);
    const { status, approval_status, waiting_since, last_comment_by, priority } = await lockTicket(ctx, ticket_id);
    const state = [status, approval_status, waiting_since === null ? '-' : 'waiting', last_comment_by ?? '-', priority];
    const description = `${markOf(each)} ${state.join(' ')}`;
    ctx.record({ action: 'update', entity_type: 'history', entity_id: each.of, description });
  });
}

const create = (ctx: Context, of: number): Promise<Ticket> =>
  createTicket(ctx, { company_number: firstCompany + (of % 8), subject: `History ${of}`, priority: 3, decided: true });

async function ticketOf(ctx: Context, of: number): Promise<number> {
  const found = await ctx.db.findOneBy(Ticket, { subject: `History ${of}` });
  if (!found) throw new Error(`History ${of} has no ticket`);
  return found.ticket_id;
}

async function apply(ctx: Context, ticket_id: number, act: Exclude<Act, 'create'>): Promise<void> {
  const ticket = await lockTicket(ctx, ticket_id);
  if (act === 'ask' || act === 'reply') {
    await commentOnTicket(ctx, ticket, { comment: 'Hello', is_internal: false });
    return;
  }
  const wanted = {
    hold: { status: 'on_hold' },
    resume: { status: 'in_progress' },
    close: { status: 'closed' },
    reopen: { status: 'open' },
    raise: { priority: 2 },
    lower: { priority: 3 },
  } as const;
  await updateTicket(ctx, ticket, wanted[act]);
}

function setTime(minute: number): void {
  now = new Date(start + minute * 60_000).toISOString();
}

/** Lets happen what has not happened yet: a step may have been committed by a process that was killed. */
async function act(from: number, to: number): Promise<void> {
  const lines = await app.database.find(ActivityLine, { where: { entity_type: 'history' } });
  const known = new Set(lines.map(({ description }) => description.split(' ').slice(0, 5).join(' ')));
  for (const each of own) if (each.minute >= from && each.minute < to && !known.has(markOf(each))) await happen(each);
}

/** Gives a policy other targets, and its calendar other hours. */
async function replan(minute: number, number: number): Promise<void> {
  setTime(minute);
  const random = randomFrom(seed + number);
  await contextOf({ app, actor: undefined, author: technician, now }).transaction(async (ctx) => {
    const policy = await lock(ctx, Policies, 1 + (number % REPLANNED));
    await change(ctx, Policies, policy, { targets: targetsOf(random) });
    await changeCalendar(ctx, await lock(ctx, Calendars, policy.calendar_id ?? 0), { hours: weekOf(random) });
  });
}

process.stdout.write('started\n');
for await (const line of createInterface({ input: process.stdin })) {
  const [what, ...minutes] = line.split(' ');
  const [first = 0, second = 0] = minutes.map(Number);
  if (what === 'act') await act(first, second);
  else if (what === 'replan') await replan(first, second);
  else {
    setTime(first);
    await announceDue(contextOf({ app, actor: undefined, author: theSystem, now }));
  }
  process.stdout.write('done\n');
}
await app.close();
