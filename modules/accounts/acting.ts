// A context for work done in a user's name while they are offline, with their current rights.
import { IsNull } from '@keelson/core';
import type { Admin, App, Context, EmployeeActor } from '@keelson/core';
import { adminSurface, contextOf, helpdeskSurface } from '@keelson/core/system';
import { Company, Employee, Technician } from '@keelson/modules/directory';
import { keyActor } from './keys/live-key.ts';

export interface ActsFor {
  readonly type: 'employee' | 'technician' | 'api';
  /** The id of the employee, technician or key. */
  readonly id: number;
}

/** Returns null when the actor is deleted, inactive or revoked. */
export function contextAs(app: App, of: ActsFor & { type: 'employee' }): Promise<Context<EmployeeActor> | null>;
export function contextAs(app: App, of: ActsFor): Promise<Context<EmployeeActor | Admin> | null>;
export async function contextAs(app: App, { type, id }: ActsFor): Promise<Context<EmployeeActor | Admin> | null> {
  if (type === 'employee') {
    const actor = await employeeActor(app, id);
    return actor && contextOf({ app, actor, author: helpdeskSurface.author(actor) });
  }
  const actor = type === 'technician' ? await technicianActor(app, id) : await keyActor(app, id);
  return actor && contextOf({ app, actor, author: adminSurface.author(actor) });
}

async function employeeActor({ database }: App, employee_number: number): Promise<EmployeeActor | null> {
  const row = await database.findOneBy(Employee, { employee_number, status: 'Active', deleted_at: IsNull() });
  if (!row) return null;
  const { company_number } = row;
  const company = await database.findOneBy(Company, { company_number, status: 'active', deleted_at: IsNull() });
  return company && { ...row, company_name: company.customer, session_id: 0, via: 'token' };
}

async function technicianActor({ database }: App, user_id: number): Promise<Admin | null> {
  const row = await database.findOneBy(Technician, { user_id, active: true, deleted_at: IsNull() });
  return row && { kind: 'technician', user_id, name: row.name, email: row.email, role: row.role, session_id: 0 };
}
