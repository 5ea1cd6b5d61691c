// Sessions as their owners see them: lists them, and ends those they do not recognise.
import { IsNull, MoreThan, Not, notFound, type Context, type EmployeeActor, type Row } from '@keelson/core';
import { changed } from '@keelson/core/plugin';
import type { TechnicianActor } from '@keelson/core/system';
import { Employee, Technician } from '@keelson/modules/directory';
import { EmployeeSession, TechnicianSession } from '../entities.ts';
import { TechnicianSignedOut } from '../events.ts';
import { technicianCookieEnds } from './session-life.ts';
import { endOtherSessions, endSession } from './session.ts';

export interface OwnSession {
  readonly session_id: number;
  readonly ip_address: string;
  readonly created_at: string;
  readonly last_used_at: string;
  readonly expires_at: string;
  /** The session of this request. */
  readonly current: boolean;
}

const newestFirst = { session_id: 'DESC' } as const;

/** Lists the technician's sessions that have not ended. */
export async function listTechnicianSessions(
  ctx: Context,
  { user_id, session_id: current }: TechnicianActor,
): Promise<OwnSession[]> {
  const owner = await ctx.db.findOneBy(Technician, { user_id });
  if (!owner) return [];
  const mine = { user_id, access_version: owner.access_version, expires_at: MoreThan(ctx.now) };
  const rows = await ctx.db.find(TechnicianSession, { where: mine, order: newestFirst });
  return rows
    .map((each) => shown(each, technicianCookieEnds(each), current))
    .filter((each) => each.expires_at > ctx.now);
}

/** Ends one of the technician's own sessions. @throws notFound() */
export async function endOwnTechnicianSession(
  ctx: Context,
  { user_id }: TechnicianActor,
  session_id: number,
): Promise<void> {
  if ((await ctx.db.delete(TechnicianSession, { session_id, user_id })).affected === 0) throw notFound('Session');
  ctx.emit(TechnicianSignedOut, { user_id, session_id, kept: 0 });
  recordEnd(ctx, 'technician', user_id, 'Ended a session');
  changed(ctx, TechnicianSession);
}

/** Ends all of a technician's sessions, optionally except one. */
export async function endTechnicianSessions(ctx: Context, user_id: number, kept = 0): Promise<void> {
  await ctx.db.delete(TechnicianSession, { user_id, session_id: Not(kept) });
  ctx.emit(TechnicianSignedOut, { user_id, session_id: null, kept });
  recordEnd(ctx, 'technician', user_id, 'Ended all sessions');
  changed(ctx, TechnicianSession);
}

/** Lists the employee's sessions that have not ended: browser cookies and app tokens. */
export async function listEmployeeSessions(ctx: Context<EmployeeActor>): Promise<OwnSession[]> {
  const { employee_number, session_id: current } = ctx.actor;
  const owner = await ctx.db.findOneBy(Employee, { employee_number });
  if (!owner) return [];
  const mine = {
    employee_number,
    revoked_at: IsNull(),
    access_version: owner.access_version,
    expires_at: MoreThan(ctx.now),
  };
  const rows = await ctx.db.find(EmployeeSession, { where: mine, order: newestFirst });
  return rows.map((each) => shown(each, each.expires_at, current));
}

/** Ends one of the employee's own sessions, with its cookie and its tokens. @throws notFound() */
export async function endOwnEmployeeSession(ctx: Context<EmployeeActor>, session_id: number): Promise<void> {
  const { employee_number } = ctx.actor;
  const session = await ctx.db.findOne(EmployeeSession, {
    where: { session_id, employee_number, revoked_at: IsNull() },
    lock: { mode: 'pessimistic_write' },
  });
  if (!session) throw notFound('Session');
  await endSession(ctx, session_id);
  recordEnd(ctx, 'contact', employee_number, 'Ended a session');
}

/** Ends all of an employee's sessions, optionally except one. */
export async function endEmployeeSessions(ctx: Context, employee_number: number, kept = 0): Promise<void> {
  await endOtherSessions(ctx, employee_number, kept);
  recordEnd(ctx, 'contact', employee_number, 'Ended all sessions');
}

type SessionRow = Pick<Row<typeof TechnicianSession>, 'session_id' | 'ip_address' | 'created_at' | 'last_used_at'>;

function shown({ session_id, ip_address, created_at, last_used_at }: SessionRow, expires_at: string, current: number) {
  return { session_id, ip_address, created_at, last_used_at, expires_at, current: session_id === current };
}

function recordEnd(ctx: Context, entity_type: 'technician' | 'contact', entity_id: number, description: string): void {
  ctx.record({ action: 'update', entity_type, entity_id, description });
}
