// Bulk data: many rows per statement, counters computed once at the end. Existing data stays.
import { secondsBetween, sql, type App, type Sql } from '@keelson/core';
import type { New } from '@keelson/core/database';
import { recount, type Database } from '@keelson/core/system';
import { reserveTicketNumbers, Ticket } from '@keelson/modules/tickets';
import { addCompanies, addEmployees, addSites, addTechnicians } from './seed-people.ts';
import { ticketRows, type Cast } from './seed-tickets.ts';

export interface Amounts {
  readonly tickets: number;
  readonly companies: number;
  /** Also fills the search index; defaults to true. */
  readonly index?: boolean;
  /** Shows a progress bar. */
  readonly progress?: boolean;
}

type TicketRow = New<typeof Ticket>;

const TICKETS_PER_TRANSACTION = 4000;
/** Concurrent transactions on a server: it stores one while the next batch is generated here. */
const CONNECTIONS = 2;
/** Longer than usual: thousands of rows take time on a busy disk. */
const DEADLINE_MS = 60_000;

/** Adds companies with people and tickets. Returns the tickets stored per second, including the time to count them. */
export async function seed(app: App, amounts: Amounts): Promise<{ perSecond: number }> {
  const cast = await addPeople(app, amounts.companies);
  const started = app.clock.now();
  await addTickets(app, cast, amounts);
  for (const each of app.plugins.flatMap((plugin) => plugin.counters ?? [])) await recount(app.database, each, started);
  const seconds = Math.max(0.001, secondsBetween(started, app.clock.now()));
  if (amounts.index ?? true) await app.indexer.rebuild(() => {});
  return { perSecond: Math.round(amounts.tickets / seconds) };
}

/** Adds companies with three sites and ten people each, and a technician per ten companies. */
async function addPeople(app: App, companies: number): Promise<Cast> {
  const now = app.clock.now();
  const { database } = app;
  const made = await addCompanies(database, companies, now);
  return {
    companies: made,
    sites: await addSites(database, made, now),
    employees: await addEmployees(database, made, now),
    technicians: await addTechnicians(database, Math.min(40, Math.max(3, Math.ceil(companies / 10))), now),
  };
}

async function addTickets(app: App, cast: Cast, { tickets, progress = false }: Amounts): Promise<void> {
  const first = await reserveTicketNumbers(app, tickets);
  const rows = ticketRows({ cast, tickets, first, now: app.clock.now() });
  const { Bar, Presets } = await import('cli-progress');
  const bar = new Bar({ noTTYOutput: true, format: '{bar} {value} of {total} tickets, {eta} s left' }, Presets.rect);
  if (progress) bar.start(tickets, 0);
  const stored = (n: number) => (progress ? bar.increment(n) : undefined);
  if (app.database.dialect === 'sqlite') await store(app.database, rows, stored);
  else await storeUnchecked(app, rows, stored);
  bar.stop();
}

/**
 * Stores rows without foreign-key and unique checks, since all referenced rows were just created. Uses separate
 * connections, which are closed afterwards so that no other code runs without checks.
 */
async function storeUnchecked(app: App, rows: Iterator<TicketRow>, stored: (n: number) => void): Promise<void> {
  const database = await app.database.another(CONNECTIONS, DEADLINE_MS);
  // MariaDB locks an empty table for the first bulk insert, so the other connection waits for it.
  const unchecked = sql`SET SESSION foreign_key_checks = 0, SESSION unique_checks = 0,
    SESSION innodb_lock_wait_timeout = 30`;
  try {
    await Promise.all(Array.from({ length: CONNECTIONS }, () => store(database, rows, stored, unchecked)));
  } finally {
    await database.close();
  }
}

async function store(database: Database, rows: Iterator<TicketRow>, stored: (n: number) => void, first?: Sql) {
  for (let batch = take(rows); batch.length > 0; batch = take(rows)) {
    await database.transaction(async (tx) => {
      if (first) await tx.run(first);
      await tx.insert(Ticket, batch);
    });
    stored(batch.length);
  }
}

function take<T>(rows: Iterator<T>): T[] {
  const taken: T[] = [];
  while (taken.length < TICKETS_PER_TRANSACTION) {
    const { value, done } = rows.next();
    if (done) break;
    taken.push(value);
  }
  return taken;
}
