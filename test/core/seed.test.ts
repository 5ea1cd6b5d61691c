import { sql } from '@keelson/core';
import { readCount } from '@keelson/core/list';
import { Employee, Site } from '@keelson/modules/directory';
import { createTicket, Ticket, TicketCount } from '@keelson/modules/tickets';
import { startApp } from '@keelson/testing';
import test from 'ava';
import { seed } from '../../modules/demo/seed/seed.ts';

test('bulk data is counted, continues numbering and adds to existing data', async (t) => {
  const { app, run } = await startApp(t);
  const { database } = app;
  await seed(app, { tickets: 700, companies: 4 });
  await seed(app, { tickets: 300, companies: 2 });
  t.is(await database.count(Ticket), 1000);
  t.is(await database.count(Site), 18);
  t.is(await database.count(Employee), 60);
  t.is(await readCount(database, TicketCount), 1000);

  const groups = await database.query<{ company_number: number; status: string; n: number }>(
    sql`SELECT company_number, status, COUNT(*) AS n FROM ticket GROUP BY company_number, status`,
  );
  for (const { company_number, status, n } of groups) {
    t.is(await readCount(database, TicketCount, { company_number, status }), Number(n));
  }

  const company_number = groups[0]?.company_number ?? 0;
  const next = await run((ctx) => createTicket(ctx, { company_number, subject: 'One more' }));
  t.is(next.ticket_number, 2001);
  t.is(await readCount(database, TicketCount), 1001);
});

test('bulk tickets are ordered by date and match their companies', async (t) => {
  const { app } = await startApp(t);
  await seed(app, { tickets: 400, companies: 3 });
  const tickets = await app.database.find(Ticket, { order: { ticket_number: 'ASC' } });
  t.deepEqual(
    tickets.map((each) => each.created_at),
    tickets.map((each) => each.created_at).toSorted(),
  );
  const sites = await app.database.find(Site);
  for (const ticket of tickets) {
    const site = sites.find((each) => each.site_number === ticket.site_number);
    t.is(site?.company_number, ticket.company_number);
    t.true(ticket.updated_at >= ticket.created_at);
    t.is(ticket.closed_at, ticket.status === 'closed' ? ticket.updated_at : null);
  }
});
