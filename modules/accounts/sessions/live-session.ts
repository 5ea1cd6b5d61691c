import {
  cache,
  In,
  invalidateOnChange,
  perApp,
  plus,
  sql,
  type App,
  type EmployeeActor,
  type Sql,
  type Timestamp,
} from '@keelson/core';
import { fromDatabase } from '@keelson/core/kit';
import { batchWrites, tokenHash, type Credentials } from '@keelson/core/system';
import { Company, Employee, employeeColumns, joinEmployee } from '@keelson/modules/directory';
import { inBackground } from '../background.ts';
import { EmployeeSession } from '../entities.ts';
import { employeeCookieEnds } from './session-life.ts';

// Looks up the session of every request (A-06), so that ended sessions are refused at once. Cached for two seconds;
// changes invalidate the cache.

interface LiveSession {
  readonly asCookie: EmployeeActor;
  readonly asToken: EmployeeActor;
  cookie_ends: Timestamp;
  readonly tokens_end: Timestamp;
  readonly created_at: Timestamp;
  /** When the next use is stored. */
  note_from: Timestamp;
}

const NOTE_EVERY = { seconds: 60 } as const;
/** How long uses are batched in memory before one write. */
const GATHER_MS = 250;
const FRESH = { max: 20_000 } as const;

/** A passive look-up does not count as a use of the session. */
type Asked = Pick<Credentials, 'passive'>;

const caches = perApp((app) => {
  const byId = cache(app, (_db, session_id: number) => read(app, sql`s.session_id = ${session_id}`), FRESH);
  const byCookie = cache(app, (_db, hash: string) => read(app, sql`s.token_hash = ${hash}`), FRESH);
  for (const kept of [byId, byCookie]) invalidateOnChange(app, kept, [EmployeeSession, Employee, Company]);
  const used = batchWrites<number, Timestamp>(GATHER_MS, (uses) => writeUses(app, uses));
  return { byId, byCookie, used };
});

/** Returns the employee for a session cookie, or undefined when it is invalid. */
export async function employeeByCookie(app: App, cookie: string, from: Asked): Promise<EmployeeActor | undefined> {
  const live = await caches(app).byCookie.get(app.database, tokenHash(cookie));
  const now = app.clock.now();
  if (!live || now >= live.cookie_ends) return undefined;
  if (!from.passive) noteUse(app, live, now);
  return live.asCookie;
}

/** Returns the employee for the session that an access token names, or undefined when the session ended. */
export async function employeeBySession(app: App, session_id: number, from: Asked): Promise<EmployeeActor | undefined> {
  const live = await caches(app).byId.get(app.database, session_id);
  const now = app.clock.now();
  if (!live || now >= live.tokens_end) return undefined;
  if (!from.passive) noteUse(app, live, now);
  return live.asToken;
}

function noteUse(app: App, live: LiveSession, now: Timestamp): void {
  if (now < live.note_from) return;
  live.note_from = plus(now, NOTE_EVERY);
  live.cookie_ends = employeeCookieEnds({ created_at: live.created_at, last_used_at: now });
  const writing = caches(app).used.add(live.asToken.session_id, now);
  if (writing) inBackground(app, () => writing);
}

async function writeUses({ database }: App, uses: ReadonlyMap<number, Timestamp>): Promise<number> {
  const last_used_at = [...uses.values()].at(-1) ?? '';
  const sessions = { session_id: In([...uses.keys()]) };
  return (await database.update(EmployeeSession, sessions, { last_used_at })).affected;
}

interface SessionRow extends Record<string, string | number | null> {
  session_id: number;
  created_at: string;
  last_used_at: string;
  expires_at: string;
}

/** Reads a session that has not ended. */
async function read(app: App, which: Sql): Promise<LiveSession | undefined> {
  const useOf = caches(app).used.reading();
  const [row] = await app.database.query<SessionRow>(sql`
    SELECT s.session_id, s.created_at, s.last_used_at, s.expires_at, ${employeeColumns}
    FROM employee_session s ${joinEmployee(sql`s.employee_number`, sql`s.access_version`)}
    WHERE ${which} AND s.revoked_at IS NULL`);
  if (!row) return undefined;
  const last_used_at = useOf(row.session_id) ?? fromDatabase(row.last_used_at);
  const used = { created_at: fromDatabase(row.created_at), last_used_at };
  const actor = actorOf(row);
  return {
    asCookie: Object.freeze({ ...actor, via: 'cookie' }),
    asToken: Object.freeze({ ...actor, via: 'token' }),
    created_at: used.created_at,
    cookie_ends: employeeCookieEnds(used),
    tokens_end: fromDatabase(row.expires_at),
    note_from: plus(used.last_used_at, NOTE_EVERY),
  };
}

function actorOf(row: SessionRow): Omit<EmployeeActor, 'via'> {
  const flag = (name: string) => Number(row[name]) === 1;
  const site = row['site_number'];
  return {
    employee_number: Number(row['employee_number']),
    company_number: Number(row['company_number']),
    site_number: site === null || site === undefined ? null : Number(site),
    first_name: String(row['first_name']),
    last_name: String(row['last_name']),
    email: String(row['email']),
    company_name: String(row['customer']),
    ismgr: flag('ismgr'),
    it_privileges: flag('it_privileges'),
    can_create_tickets: flag('can_create_tickets'),
    can_view_billing: flag('can_view_billing'),
    asset_edit: Employee.columns.asset_edit.shape.parse(row['asset_edit']),
    session_id: row.session_id,
  };
}
