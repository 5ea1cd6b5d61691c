// What happened at a company lately, for people who may read the records it happened to.
import { raiseAlert } from '@keelson/modules/monitoring';
import { openApp, type TestApp } from '@keelson/testing';
import test from 'ava';
import { seedCompany, seedEmployee } from '../accounts-seed.ts';
import { seedInvoice } from '../billing-seed.ts';
import { asKey, seedTicket } from '../tickets-seed.ts';

const at = (company_number: number, query = '') => `/companies.php?action=activity&id=${company_number}${query}`;

let app: TestApp;
test.before(async () => {
  app = await openApp();
});
test.after.always(() => app.close());

/** Returns the entries as `[description, record_type, record_id, status]`. */
async function read(permissions: readonly string[], company_number: number, query?: string) {
  const { body } = await (await asKey(app, permissions))('GET', at(company_number, query));
  return body.data.map((each: any) => [each.description, each.record_type, each.record_id, each.status]);
}

test.serial(
  'the activity of a company lists changes of its records, newest first, with the record to open',
  async (t) => {
    const { company_number, customer } = await seedCompany(app);
    await seedTicket(app, { company_number: (await seedCompany(app)).company_number });
    const { ticket_id, ticket_number } = await seedTicket(app, { company_number });
    const send = await asKey(app, ['tickets:read', 'tickets:write', 'companies:read', 'companies:write']);
    await send('POST', `/tickets.php?action=comments&id=${ticket_id}`, { comment: 'On my way' });
    await send('POST', `/tickets.php?action=time-entries&id=${ticket_id}`, { duration_minutes: 15 });
    await send('PUT', `/tickets.php?id=${ticket_id}`, { status: 'closed' });
    await send('PUT', `/companies.php?id=${company_number}`, { city: 'York' });
    t.deepEqual(await read(['companies:read', 'tickets:read'], company_number), [
      [`Company ${customer} updated`, 'company', company_number, null],
      [`Ticket ${ticket_number} updated`, 'ticket', ticket_id, 'closed'],
      [`15 minutes logged on ticket ${ticket_number}`, 'ticket', ticket_id, null],
      [`Comment on ticket ${ticket_number} added`, 'ticket', ticket_id, null],
      [`Ticket ${ticket_number} created`, 'ticket', ticket_id, null],
      [`Company ${customer} created`, 'company', company_number, null],
    ]);
    const { body } = await send('GET', at(company_number, '&page=2&per_page=2'));
    t.deepEqual(
      body.data.map((each: { description: string }) => each.description),
      [`15 minutes logged on ticket ${ticket_number}`, `Comment on ticket ${ticket_number} added`],
    );
    t.like(body.pagination, { page: 2, total: 6 });
    t.is(body.data[0].changes, undefined);
    t.is(body.data[0].ip_address, undefined);
  },
);

test.serial('the activity of a company shows only records that the caller may read', async (t) => {
  const { company_number } = await seedCompany(app);
  const person = await seedEmployee(app, { company_number });
  const invoice = await seedInvoice(app, { company_number });
  const { ticket_id } = await seedTicket(app, { company_number });
  const kinds = async (permissions: readonly string[]) =>
    (await read(permissions, company_number)).map(([, type, id]: [string, string, number]) => `${type} ${id}`);
  t.deepEqual(await kinds(['companies:read']), [`company ${company_number}`]);
  t.deepEqual(await kinds(['companies:read', 'billing:read', 'contacts:read', 'tickets:read']), [
    `ticket ${ticket_id}`,
    `invoice ${invoice.invoice_id}`,
    `contact ${person.employee_number}`,
    `company ${company_number}`,
  ]);
  const alert = { alert_type: 'disk_full', severity: 'warning', message: 'C: is full', company_number } as const;
  await app.run((ctx) => raiseAlert(ctx, 'disk-c', alert));
  const [raised] = await read(['companies:read', 'assets:read'], company_number);
  t.is(raised[0], 'Alert “C: is full” created', 'no machine words');
  const { status } = await (await asKey(app, ['tickets:read']))('GET', at(company_number));
  t.is(status, 403);
  t.is((await (await asKey(app, ['companies:read']))('GET', at(999_999))).status, 404);
});
