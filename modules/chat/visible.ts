// Which chats somebody sees: employees their own, technicians those that wait and their own.
import { is, sql, type Admin, type Context, type EmployeeActor } from '@keelson/core';
import type { Filter } from '@keelson/core/list';

/** The signed-in person's own chats (W-10). */
export function ownChats({ actor }: Context<EmployeeActor>): Filter[] {
  return [is('company_number', actor.company_number), is('employee_number', actor.employee_number)];
}

/** Those that wait for a person, and those that the caller has accepted (NW-14); of a key those that keys accepted. */
export function queuedChats({ actor }: Context<Admin>): Filter[] {
  const mine = actor.kind === 'technician' ? sql`chat.agent_id = ${actor.user_id}` : sql`chat.agent_id IS NULL`;
  return [is('status', ['waiting_agent', 'with_agent']), sql`(chat.status = 'waiting_agent' OR ${mine})`];
}
