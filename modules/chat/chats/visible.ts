// Chat visibility: employees see their own, technicians see those waiting and their own.
import { is, sql, type Admin, type Context, type EmployeeActor } from '@keelson/core';
import type { Filter } from '@keelson/core/list';

/** Filters to the caller's own chats (W-10). */
export function ownChats({ actor }: Context<EmployeeActor>): Filter[] {
  return [is('company_number', actor.company_number), is('employee_number', actor.employee_number)];
}

/**
 * Filters to chats waiting for a person and those the caller has accepted (NW-14); for a key, those accepted by keys.
 */
export function queuedChats({ actor }: Context<Admin>): Filter[] {
  const mine = actor.kind === 'technician' ? sql`chat.agent_id = ${actor.user_id}` : sql`chat.agent_id IS NULL`;
  return [is('status', ['waiting_agent', 'with_agent']), sql`(chat.status = 'waiting_agent' OR ${mine})`];
}
