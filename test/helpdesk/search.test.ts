// Global search within one's own company.
import { openApp, type TestApp } from '@keelson/testing';
import test from 'ava';
import { asEmployee, portal, seedTeam, seedTicket } from '../tickets-seed.ts';

let app: TestApp;
test.before(async () => {
  app = await openApp();
});
test.after.always(() => app.close());

test.serial('Search your company', async (t) => {
  const { company_number, member, manager, colleague, itAdmin, stranger } = await seedTeam(app);
  const { employee_number } = member;
  const { ticket_id, ticket_number } = await seedTicket(app, {
    company_number,
    employee_number,
    subject: 'Lampshade',
    description: 'fell',
  });
  const found = async (who: { email: string }, query: string) =>
    (await (await asEmployee(app, who))('GET', `/search?${query}`)).body;
  const ticket = { ticket_id, ticket_number, subject: 'Lampshade', status: 'open', score: 1 };
  const all = { tickets: [ticket], assets: [], employees: [], articles: [], total: 1 };
  t.deepEqual(await found(member, 'q=lampshade'), all);
  await app.app.indexer.drain();
  t.deepEqual(await found(member, 'q=LAMPSHADE'), all);
  for (const who of [manager, itAdmin]) t.is((await found(who, 'q=lampshade')).total, 1);
  const nothing = { tickets: [], assets: [], employees: [], articles: [], total: 0 };
  for (const who of [colleague, stranger]) t.deepEqual(await found(who, 'q=lampshade'), nothing);
  const { email } = colleague;
  t.deepEqual(await found(member, `q=${email}&types=employees`), {
    employees: [
      { employee_number: colleague.employee_number, first_name: 'Erin', last_name: 'Example', email, score: 1 },
    ],
    total: 1,
  });
  t.is((await found(stranger, `q=${email}&types=employees`)).total, 0);
  const send = await asEmployee(app, member);
  for (const query of ['', 'q=', 'q=a&types=companies', 'q=a&limit=0'])
    t.is((await send('GET', `/search?${query}`)).status, 400, query);
  t.is((await app.request('GET', `${portal}/search?q=a`)).status, 401);
  t.true((await app.fewestStatements(() => send('GET', '/search?q=lampshade'))) <= 6);
});
