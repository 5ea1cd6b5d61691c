import {
  cache,
  invalidateOnChange,
  perApp,
  plus,
  secret,
  sql,
  type App,
  type Context,
  type Row,
  type Timestamp,
} from '@keelson/core';
import { fromDatabase } from '@keelson/core/kit';
import { changed } from '@keelson/core/plugin';
import { batchWrites, tokenHash, type Credentials, type TechnicianActor } from '@keelson/core/system';
import { joinTechnician, touchTechnician, Technician, technicianColumns } from '@keelson/modules/directory';
import { inBackground } from '../background.ts';
import { TechnicianSession } from '../entities.ts';
import { TechnicianSignedOut } from '../events.ts';
import { technicianCookieEnds, technicianSessionEnds } from './session-life.ts';

interface LiveSession {
  readonly actor: TechnicianActor;
  readonly created_at: Timestamp;
  ends: Timestamp;
  /** When the next use is stored. */
  note_from: Timestamp;
}

const NOTE_EVERY = { seconds: 60 } as const;

interface Use {
  readonly user_id: number;
  readonly at: Timestamp;
}

const caches = perApp((app) => {
  const byHash = cache(app, (_db, hash: string) => read(app, hash), { max: 5000 });
  invalidateOnChange(app, byHash, [TechnicianSession, Technician]);
  const used = batchWrites<number, Use>(0, (uses) => writeUses(app, uses));
  return { byHash, used };
});

/** Starts a session under a new id (A-36). Returns its cookie. Runs in a transaction. */
export async function openTechnicianSession(ctx: Context, technician: Row<typeof Technician>): Promise<string> {
  const cookie = secret();
  await ctx.db.insert(TechnicianSession, {
    user_id: technician.user_id,
    token_hash: tokenHash(cookie),
    access_version: technician.access_version,
    ip_address: ctx.request.ip,
    created_at: ctx.now,
    last_used_at: ctx.now,
    expires_at: technicianSessionEnds(ctx.now),
  });
  await touchTechnician(ctx.db, technician.user_id, ctx.now);
  return cookie;
}

/** Ends the session of a cookie, if there is one. Runs in a transaction. */
export async function endTechnicianSession(ctx: Context, cookie: string): Promise<void> {
  await ctx.db.delete(TechnicianSession, { token_hash: tokenHash(cookie) });
  changed(ctx, TechnicianSession);
}

/** Signs the technician of a cookie out of this browser. Runs in a transaction. */
export async function signOutTechnician(ctx: Context, cookie: string): Promise<void> {
  const session = await ctx.db.findOneBy(TechnicianSession, { token_hash: tokenHash(cookie) });
  if (session) ctx.emit(TechnicianSignedOut, { user_id: session.user_id, session_id: session.session_id, kept: 0 });
  await endTechnicianSession(ctx, cookie);
}

/** Records that the technician has re-authenticated. Runs in a transaction. */
export async function confirmTechnicianSession(ctx: Context, session_id: number): Promise<void> {
  await ctx.db.update(TechnicianSession, { session_id }, { confirmed_at: ctx.now });
  changed(ctx, TechnicianSession);
}

/** Returns the technician for a session cookie, or undefined when it is invalid. */
export async function technicianByCookie(
  app: App,
  cookie: string,
  { passive = false }: Pick<Credentials, 'passive'>,
): Promise<TechnicianActor | undefined> {
  const { byHash, used } = caches(app);
  const live = await byHash.get(app.database, tokenHash(cookie));
  const now = app.clock.now();
  if (!live || now >= live.ends) return undefined;
  if (!passive && now >= live.note_from) {
    live.note_from = plus(now, NOTE_EVERY);
    live.ends = technicianCookieEnds({ created_at: live.created_at, last_used_at: now });
    const { session_id, user_id } = live.actor;
    const writing = used.add(session_id, { user_id, at: now });
    if (writing) inBackground(app, () => writing);
  }
  return live.actor;
}

/** The time of the last request determines whether the technician is available (D-22). */
async function writeUses({ database }: App, uses: ReadonlyMap<number, Use>): Promise<void> {
  for (const [session_id, { user_id, at }] of uses) {
    await database.update(TechnicianSession, { session_id }, { last_used_at: at });
    await touchTechnician(database, user_id, at);
  }
}

interface SessionRow {
  readonly session_id: number;
  readonly confirmed_at: string | null;
  readonly created_at: string;
  readonly last_used_at: string;
  readonly user_id: number;
  readonly name: string;
  readonly email: string;
  readonly role: string;
}

async function read(app: App, hash: string): Promise<LiveSession | undefined> {
  const useOf = caches(app).used.reading();
  const [row] = await app.database.query<SessionRow>(sql`
    SELECT s.session_id, s.confirmed_at, s.created_at, s.last_used_at, ${technicianColumns}
    FROM technician_session s ${joinTechnician(sql`s.user_id`, sql`s.access_version`)}
    WHERE s.token_hash = ${hash}`);
  if (!row) return undefined;
  const { session_id, user_id, name, email } = row;
  const role = Technician.columns.role.shape.parse(row.role);
  const last_used_at = useOf(session_id)?.at ?? fromDatabase(row.last_used_at);
  const used = { created_at: fromDatabase(row.created_at), last_used_at };
  return {
    actor: Object.freeze({
      kind: 'technician',
      user_id,
      name,
      email,
      role,
      session_id,
      confirmed: row.confirmed_at !== null,
    }),
    created_at: used.created_at,
    ends: technicianCookieEnds(used),
    note_from: plus(used.last_used_at, NOTE_EVERY),
  };
}
