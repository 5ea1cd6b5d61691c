// Seeds people and tickets for the ticket tests.
import { sql } from '@keelson/core';
import { createGroup, createSite } from '@keelson/modules/directory';
import { createTicket, Ticket, type NewTicket } from '@keelson/modules/tickets';
import type { TestApp, TestRequest } from '@keelson/testing';
import { StoredEvent } from '../packages/events/delivery/delivery.ts';
import { seedCompany, seedEmployee, seedKey, seedTechnician, signIn, type EmployeeSeed } from './accounts-seed.ts';

export const portal = '/helpdesk/api/v1';
export const staff = '/admin/api/v1';

type Send = (method: string, path: string, body?: unknown) => ReturnType<TestApp['request']>;

/** Calls the portal as an employee. */
export async function asEmployee(app: TestApp, employee: { email: string }): Promise<Send> {
  const { token } = await signIn(app, employee);
  return (method, path, body) => app.request(method, `${portal}${path}`, withBody({ token }, body));
}

/** Calls the administrative surface with a key. */
export async function asKey(
  app: TestApp,
  permissions: readonly string[] = ['tickets:read', 'tickets:write', 'tickets:delete'],
): Promise<Send> {
  const { api_key } = await seedKey(app, 'admin', permissions);
  return (method, path, body) => app.request(method, `${staff}${path}`, withBody({ token: api_key }, body));
}

function withBody(request: TestRequest, body: unknown): TestRequest {
  return body === undefined ? request : { ...request, body };
}

/**
 * Creates a company with a group member, their manager, a colleague and an IT admin, and a person of another company.
 */
export async function seedTeam(
  app: TestApp,
  group: { approval_job_types?: string[]; require_approval?: boolean } = {},
) {
  const { company_number } = await seedCompany(app);
  const seed = (given: EmployeeSeed = {}) => seedEmployee(app, { company_number, ...given });
  const member = await seed();
  const manager = await seed();
  const colleague = await seed();
  const itAdmin = await seed({ it_privileges: true });
  const stranger = await seedEmployee(app);
  await app.run((ctx) =>
    createGroup(ctx, company_number, {
      name: 'Workshop',
      code: 'workshop',
      managers: [manager.employee_number],
      members: [member.employee_number],
      ...group,
    }),
  );
  return { company_number, member, manager, colleague, itAdmin, stranger };
}

export async function seedSite(app: TestApp, company_number: number, site_name = 'Head office') {
  return app.run((ctx) => createSite(ctx, { company_number, site_name }));
}

/** Creates a ticket as the system, so that none awaits approval. */
export function seedTicket(app: TestApp, given: Partial<NewTicket> & { company_number: number }): Promise<Ticket> {
  return app.run((ctx) => createTicket(ctx, { subject: 'Printer is broken', ...given }));
}

export { seedCompany, seedEmployee, seedTechnician };

/** Returns the names of the events stored so far, oldest first, with their data. */
export async function storedEvents(app: TestApp): Promise<{ name: string; data: any }[]> {
  const rows = await app.app.database.find(StoredEvent, { order: { event_id: 'ASC' } });
  return rows.filter((row) => row.name.startsWith('ticket.')).map(({ name, data }) => ({ name, data }));
}

/** Deletes the events stored so far. */
export async function forgetEvents(app: TestApp): Promise<void> {
  await app.app.database.run(sql`DELETE FROM delivery`);
  await app.app.database.run(sql`DELETE FROM event`);
}

export async function storedTicket(app: TestApp, ticket_id: number): Promise<Ticket> {
  const ticket = await app.app.database.findOneBy(Ticket, { ticket_id });
  if (!ticket) throw new Error(`No ticket ${ticket_id}`);
  return ticket;
}
