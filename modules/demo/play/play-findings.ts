// The demo's attachments, saved searches and reports, one of which is mailed.
import type { Admin, App } from '@keelson/core';
import { attachFile } from '@keelson/core/attachments';
import type { Author } from '@keelson/core/log';
import { employeeName } from '@keelson/core/surfaces';
import { contextOf } from '@keelson/core/system';
import { createReport } from '@keelson/modules/reports';
import { saveSearch } from '@keelson/modules/search';
import { Ticket } from '@keelson/modules/tickets';
import { photo, plan } from '../files.ts';
import type { Customer, Staff } from '../people.ts';
import { actorOf } from './play.ts';

interface Cast {
  readonly staff: Staff;
  readonly customer: Customer;
}

const log = `09:12:04 scan started
09:12:31 device does not answer (timeout after 20 s)
09:12:52 device does not answer (timeout after 20 s)
`;

/** Adds them for one customer and for the provider. */
export async function playFindings(app: App, cast: Cast): Promise<void> {
  await attachFiles(app, cast);
  await saveSearches(app, cast);
  await defineReports(app, cast);
}

/** Attaches files to the customer's first tickets, raised by its employees. */
async function attachFiles(app: App, { customer }: Cast): Promise<void> {
  const { company_number } = customer.company;
  const files = [
    { name: 'Treatment room 4.pdf', bytes: plan('Treatment room 4: two sockets, one network outlet') },
    { name: 'Photo of the screen.png', bytes: photo() },
    { name: 'scan.log.txt', bytes: log },
  ];
  const tickets = await app.database.find(Ticket, {
    where: { company_number },
    order: { ticket_id: 'ASC' },
    take: files.length,
  });
  const author = authorOf(customer);
  for (const [i, row] of tickets.entries()) {
    const file = files[i];
    const holder = {
      table: Ticket,
      row,
      noun: 'ticket',
      called: `ticket ${row.ticket_number}`,
      company: company_number,
    };
    if (file) await attachFile(contextOf({ app, actor: undefined, author }), holder, file);
  }
}

function authorOf({ employee }: Customer): Author {
  return { type: 'employee', id: employee.employee_number, name: employeeName(employee) };
}

async function saveSearches(app: App, { customer }: Cast): Promise<void> {
  const searches = {
    it_admin: [
      { name: 'Everything about the X-ray', query: 'x ray', types: [], filters: {} },
      { name: 'Open printer trouble', query: 'printer', types: ['tickets'], filters: { status: 'open' } },
    ],
    employee: [{ name: 'My phone', query: 'phone', types: ['tickets', 'kb'], filters: {} }],
  } as const;
  for (const who of ['it_admin', 'employee'] as const) {
    const person = customer[who];
    const author: Author = { type: 'employee', id: person.employee_number, name: employeeName(person) };
    await contextOf({ app, actor: actorOf(customer, who), author }).transaction(async (ctx) => {
      for (const each of searches[who]) await saveSearch(ctx, { ...each, types: [...each.types] });
    });
  }
}

async function defineReports(app: App, { staff, customer }: Cast): Promise<void> {
  const { administrator } = staff;
  const { user_id, name, email, role } = administrator;
  const actor: Admin = { kind: 'technician', user_id, name, email, role, session_id: 0 };
  await contextOf({ app, actor, author: { type: 'technician', id: user_id, name } }).transaction(async (ctx) => {
    await createReport(ctx, {
      name: 'Open tickets, oldest first',
      description: 'For the meeting on Monday',
      source: 'tickets',
      fields: ['ticket_number', 'subject', 'company_name', 'priority', 'created_at'],
      filters: [{ field: 'status', operator: 'ne', value: 'closed' }],
      sort: [{ field: 'created_at', order: 'asc' }],
      schedule: { cron: '0 7 * * 1', format: 'xlsx', recipients: [user_id] },
    });
    await createReport(ctx, {
      name: 'Tickets by customer',
      source: 'tickets',
      group_by: 'company_name',
      aggregates: [{ function: 'count' }],
    });
  });
  const author: Author = {
    type: 'employee',
    id: customer.it_admin.employee_number,
    name: employeeName(customer.it_admin),
  };
  await contextOf({ app, actor: actorOf(customer, 'it_admin'), author }).transaction((ctx) =>
    createReport(ctx, {
      name: 'Our tickets this year',
      source: 'tickets',
      shared: true,
      group_by: 'created_at:month',
      aggregates: [{ function: 'count' }],
    }),
  );
}
