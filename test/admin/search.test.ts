// Global search by technicians and keys.
import { openApp, type TestApp } from '@keelson/testing';
import test from 'ava';
import { seedCompany, seedEmployee } from '../accounts-seed.ts';
import { asKey, seedTicket, staff } from '../tickets-seed.ts';

let app: TestApp;
test.before(async () => {
  app = await openApp();
});
test.after.always(() => app.close());

test.serial('Search everything', async (t) => {
  const { company_number } = await seedCompany(app, 'Brightwater Dental');
  const person = await seedEmployee(app, { company_number, first_name: 'Zoë', last_name: 'Brightly' });
  const one = await seedTicket(app, { company_number, subject: 'Bright screen', description: 'It flickers.' });
  const two = await seedTicket(app, {
    company_number,
    employee_number: person.employee_number,
    subject: 'No sound',
    description: 'At all',
  });
  const send = await asKey(app, ['tickets:read', 'companies:read', 'contacts:read']);
  const expected = {
    success: true,
    data: {
      tickets: [
        {
          ticket_id: one.ticket_id,
          ticket_number: one.ticket_number,
          subject: 'Bright screen',
          status: 'open',
          company_name: 'Brightwater Dental',
          score: 1,
        },
        {
          ticket_id: two.ticket_id,
          ticket_number: two.ticket_number,
          subject: 'No sound',
          status: 'open',
          company_name: 'Brightwater Dental',
          score: 0.67,
        },
      ],
      companies: [{ company_number, customer: 'Brightwater Dental', score: 0.67 }],
      assets: [],
      contacts: [
        {
          employee_number: person.employee_number,
          contact_id: person.employee_number,
          first_name: 'Zoë',
          last_name: 'Brightly',
          email: person.email,
          company_name: 'Brightwater Dental',
          score: 0.67,
        },
      ],
      kb: [],
      total: 4,
    },
  };
  const found = async () => {
    const { status, body } = await send('GET', '/search.php?q=bright');
    t.deepEqual([status, body], [200, expected]);
  };
  await found();
  t.true((await app.app.indexer.drain()) > 0);
  await found();
  const counts = async (query: string) => {
    const { data } = (await send('GET', `/search.php?${query}`)).body;
    return Object.fromEntries(Object.entries(data).map(([type, its]) => [type, Array.isArray(its) ? its.length : its]));
  };
  t.deepEqual(await counts('q=zoe%20sound'), { tickets: 1, companies: 0, assets: 0, contacts: 0, kb: 0, total: 1 });
  t.deepEqual(await counts('q=bright&types=Tickets,kb&limit=1'), { tickets: 1, kb: 0, total: 2 });
  t.deepEqual(await counts('q=%25%25'), { tickets: 0, companies: 0, assets: 0, contacts: 0, kb: 0, total: 0 });
});

test.serial('Search everything: outdated text no longer matches', async (t) => {
  const { company_number } = await seedCompany(app, 'Oldname');
  const { ticket_id } = await seedTicket(app, { company_number, subject: 'Quixotic printer' });
  const send = await asKey(app, [
    'tickets:read',
    'tickets:write',
    'tickets:delete',
    'companies:read',
    'companies:write',
  ]);
  const totals = async (...words: string[]) => {
    const found: number[] = [];
    for (const word of words) found.push((await send('GET', `/search.php?q=${word}`)).body.data.total);
    for (const word of words) found.push((await send('GET', `/tickets.php?search=${word}`)).body.pagination.total);
    return found;
  };
  for (const index of [async () => 0, app.app.indexer.drain]) {
    await index();
    t.deepEqual(await totals('quixot', 'oldname'), [1, 2, 1, 1]);
  }
  await send('PUT', `/tickets.php?id=${ticket_id}`, { subject: 'Rational printer' });
  await send('PUT', `/companies.php?id=${company_number}`, { customer: 'Newname' });
  for (const index of [async () => 0, app.app.indexer.drain]) {
    await index();
    t.deepEqual(await totals('quixot', 'oldname', 'rational', 'newname'), [0, 0, 1, 2, 0, 0, 1, 1]);
  }
  await send('DELETE', `/tickets.php?id=${ticket_id}`);
  for (const index of [async () => 0, app.app.indexer.drain]) {
    await index();
    t.deepEqual(await totals('rational', 'newname'), [0, 1, 0, 0]);
  }
  const rows = await app.app.database.query({
    text: `SELECT word FROM search_ending WHERE word IN ('quixotic', 'oldname', 'rational')`,
    params: [],
  });
  t.deepEqual(rows, [], 'words that nobody has any more are forgotten');
});

test.serial('Search everything: rejects invalid input and hides inaccessible records', async (t) => {
  const send = await asKey(app, ['companies:read']);
  for (const [query, status, error] of [
    ['', 400, 'q is required'],
    ['q=%20', 400, 'q is required'],
    ['q=a&types=people', 400, 'types must be among: tickets, companies, assets, contacts, kb'],
    ['q=a&limit=0', 400, 'limit must be at least 1'],
    ['q=a&types=tickets', 403, 'Insufficient permissions'],
  ] as const) {
    const answer = await send('GET', `/search.php?${query}`);
    // Other modules append their types after these.
    t.deepEqual([answer.status, answer.body.error.replace(/(?<=, kb), .*/, '')], [status, error], query);
  }
  const { data } = (await send('GET', '/search.php?q=bright')).body;
  t.deepEqual([data.tickets, data.contacts, data.total], [[], [], 1], 'only what the key may read');
  t.is((await (await asKey(app, ['settings:read']))('GET', '/search.php?q=bright')).status, 403);
  t.is((await app.request('GET', `${staff}/search.php?q=bright`)).status, 401);
  t.true((await app.fewestStatements(() => send('GET', '/search.php?q=bright'))) <= 6);
});
