// Ratings of closed tickets.
import { plus } from '@keelson/core';
import { readMails, startApp, type TestApp } from '@keelson/testing';
import test, { type ExecutionContext } from 'ava';
import { TicketRating } from '../../modules/feedback/entities.ts';
import { seedTechnician, signInOnPage } from '../accounts-seed.ts';
import { asEmployee, asKey, seedEmployee, seedTicket, staff, storedEvents, storedTicket } from '../tickets-seed.ts';

const rights = ['tickets:read', 'tickets:write', 'tickets:delete', 'settings:read', 'settings:write', 'reports:read'];
/** Headers a browser sends when a person follows a link. */
const clicked = { 'sec-fetch-user': '?1', 'sec-fetch-dest': 'document' };

/** A ticket closed by a technician, and the links in the mail about it. */
async function closed(t: ExecutionContext) {
  const app = await startApp(t);
  const send = await asKey(app, rights);
  const technician = await seedTechnician(app, 'technician');
  const employee = await seedEmployee(app);
  const { ticket_id, ticket_number } = await seedTicket(app, {
    company_number: employee.company_number,
    employee_number: employee.employee_number,
    subject: 'Printer',
  });
  await send('PUT', `/tickets.php?id=${ticket_id}`, { assigned_to: technician.user_id });
  const close = async () => {
    app.clock.set(plus(app.clock.now(), { minutes: 1 }));
    await send('PUT', `/tickets.php?id=${ticket_id}`, { status: 'closed' });
    return linksOf(app);
  };
  return { app, send, technician, employee, ticket_id, ticket_number, close, links: await close() };
}

async function linksOf(app: TestApp) {
  await app.app.outbox.drain();
  const mail = (await readMails(app)).findLast(({ template }) => template === 'ticket_closed');
  const [good, okay, bad] = [...(mail?.text ?? '').matchAll(/https?:\S+(\/rate\?token=\S+)/g)].map(([, path]) => path);
  return { good: good ?? '', okay: okay ?? '', bad: bad ?? '', token: /token=([^&]+)/.exec(good ?? '')?.[1] ?? '' };
}

const post = (app: TestApp, path: string, form: Readonly<Record<string, string>>) =>
  app.request('POST', path, {
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(form).toString(),
  });

const ratingsOf = async ({ send }: Awaited<ReturnType<typeof closed>>) =>
  (await send('GET', '/feedback/ratings.php')).body.data;
const namesOf = async (app: TestApp) =>
  (await storedEvents(app)).map(({ name }) => name).filter((name) => name.startsWith('ticket.rat'));

test('the link to reopen a merged ticket leads to the surviving one', async (t) => {
  const { app, send, employee, ticket_id, links } = await closed(t);
  const { company_number, employee_number } = employee;
  const survivor = await seedTicket(app, { company_number, employee_number, subject: 'Printers' });
  await send('POST', `/tickets.php?action=merge&id=${ticket_id}`, { into: survivor.ticket_id });
  const statusOf = async (id: number) => (await send('GET', `/tickets.php?id=${id}`)).body.data.status;
  const commentsOf = async (id: number): Promise<{ comment: string }[]> =>
    (await send('GET', `/tickets.php?action=comments&id=${id}`)).body.data;
  await send('PUT', `/tickets.php?id=${survivor.ticket_id}`, { status: 'closed' });
  const { status, text } = await post(app, '/rate/reopen', { token: links.token, comment: 'Still no paper' });
  t.is(status, 200, text);
  t.regex(text, new RegExp(`Ticket #${survivor.ticket_number} is open again`));
  t.deepEqual([await statusOf(ticket_id), await statusOf(survivor.ticket_id)], ['closed', 'open']);
  t.true((await commentsOf(survivor.ticket_id)).some(({ comment }) => comment === 'Still no paper'));
  t.false((await commentsOf(ticket_id)).some(({ comment }) => comment === 'Still no paper'));
});

test('List ratings of tickets; Show the page for rating a closed ticket; Rate a closed ticket', async (t) => {
  const it = await closed(t);
  const { app, employee, technician, ticket_id, links } = it;
  const shown = await app.request('GET', links.good, { headers: clicked });
  t.is(shown.status, 200);
  t.regex(shown.text, /You rated this ticket: Good/);
  t.like((await ratingsOf(it))[0], {
    ticket_id,
    company_number: employee.company_number,
    requester_name: 'Erin Example',
    assigned_to: technician.user_id,
    score: 'good',
    comment: '',
  });
  const changed = await post(app, '/rate', { token: links.token, score: 'bad', comment: 'It broke <b>again</b>' });
  t.is(changed.status, 200);
  t.regex(changed.text, /You rated this ticket: Bad/);
  t.regex(changed.text, /It broke &lt;b&gt;again/);
  t.like((await ratingsOf(it))[0], { score: 'bad', comment: 'It broke <b>again</b>' });
  t.is((await ratingsOf(it)).length, 1);
  t.deepEqual(await namesOf(app), ['ticket.rated', 'ticket.rating_commented']);
  // A comment that was cleared and rewritten is not announced again.
  await post(app, '/rate', { token: links.token, score: 'bad', comment: '' });
  await post(app, '/rate', { token: links.token, score: 'bad', comment: 'It broke <b>again</b>' });
  t.is((await namesOf(app)).filter((each) => each === 'ticket.rating_commented').length, 1);
  const { data } = (await it.send('GET', `/tickets.php?action=history&id=${ticket_id}`)).body;
  t.true(data.length > 0);
});

test('a link scanner submits no rating', async (t) => {
  const it = await closed(t);
  const { app, links } = it;
  const scanners: Readonly<Record<string, string>>[] = [
    {},
    { 'sec-fetch-dest': 'document' },
    { ...clicked, 'sec-fetch-dest': 'empty' },
  ];
  for (const headers of scanners) {
    const shown = await app.request('GET', links.bad, { headers });
    t.is(shown.status, 200);
    t.regex(shown.text, /How did we do\?/);
    t.regex(shown.text, /value="bad"[^>]*checked/);
  }
  t.deepEqual(await ratingsOf(it), []);
  await post(app, '/rate', { token: links.token, score: 'bad' });
  t.is((await ratingsOf(it))[0].score, 'bad');
});

test('a rating is final after an hour, and a link expires after 30 days', async (t) => {
  const it = await closed(t);
  const { app, links } = it;
  await app.request('GET', links.good, { headers: clicked });
  app.clock.set(plus(app.clock.now(), { minutes: 61 }));
  const late = await app.request('GET', links.bad, { headers: clicked });
  t.is(late.status, 409);
  t.regex(late.text, /can no longer be changed/);
  t.is((await app.request('GET', links.good, { headers: clicked })).status, 200, 'the same rating again is no change');
  t.is((await it.send('PUT', `/tickets.php?id=${it.ticket_id}`, { status: 'open' })).status, 200);
  const second = await it.close();
  t.not(second.token, links.token);
  app.clock.set(plus(app.clock.now(), { days: 31 }));
  const expired = await app.request('GET', second.okay, { headers: clicked });
  t.is(expired.status, 409);
  t.regex(expired.text, /can no longer be rated/);
  t.is(await app.app.database.count(TicketRating), 1);
});

test('Reopen a closed ticket with the link from its mail', async (t) => {
  const it = await closed(t);
  const { app, links, ticket_id, ticket_number } = it;
  const { status, text } = await post(app, '/rate/reopen', { token: links.token, comment: 'Still no paper' });
  t.is(status, 200);
  t.true(text.includes(`Ticket #${ticket_number} is open again`));
  t.like(await storedTicket(app, ticket_id), { status: 'open', last_comment_by: 'customer' });
  const { data } = (await it.send('GET', `/tickets.php?action=comments&id=${ticket_id}`)).body;
  t.like(data.at(-1), { comment: 'Still no paper', author_name: 'Erin Example', is_internal: false });
  const again = await post(app, '/rate/reopen', { token: links.token, comment: 'Still no paper' });
  t.is(again.status, 409);
  t.regex(again.text, /has already been reopened/);
  t.is((await app.request('GET', links.bad, { headers: clicked })).status, 200, 'the closing can still be rated');
  const second = await it.close();
  await app.request('GET', second.good, { headers: clicked });
  t.deepEqual((await ratingsOf(it)).map((each: any) => each.score).toSorted(), ['bad', 'good']);
});

test('a link that was tampered with, or whose owner is gone, is invalid', async (t) => {
  const it = await closed(t);
  const { app, links, employee, ticket_id } = it;
  const [said, signed] = [links.token.slice(0, -44), links.token.slice(-43)];
  const other = said.replace(/^\d+/, (id) => String(Number(id) + 1));
  const dead = await app.request('GET', `/rate?token=${other}.${signed}&score=good`, { headers: clicked });
  t.is(dead.status, 404);
  for (const token of ['', 'x', said, `${said}.${'A'.repeat(43)}`]) {
    const answer = await app.request('GET', `/rate?token=${token}&score=good`, { headers: clicked });
    t.is(answer.status, 404);
    t.is(answer.text, dead.text);
  }
  const colleague = await seedEmployee(app, { company_number: employee.company_number });
  const { employee_number } = colleague;
  await it.send('PUT', `/tickets.php?id=${ticket_id}`, { employee_number });
  t.is((await app.request('GET', links.good, { headers: clicked })).text, dead.text, 'no longer the requester');
  await it.send('PUT', `/tickets.php?id=${ticket_id}`, { employee_number: employee.employee_number });
  t.is((await app.request('GET', links.good, { headers: clicked })).status, 200);
  await it.send('DELETE', `/tickets.php?id=${ticket_id}`);
  t.is((await app.request('GET', links.good, { headers: clicked })).text, dead.text);
  t.is(await app.app.database.count(TicketRating), 0);
});

test('of two concurrent identical ratings, one counts', async (t) => {
  const it = await closed(t);
  const { app, links } = it;
  const answers = await Promise.all(
    [links.good, links.good, links.good].map((link) => app.request('GET', link, { headers: clicked })),
  );
  t.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 200],
  );
  t.is((await ratingsOf(it)).length, 1);
  t.deepEqual(await namesOf(app), ['ticket.rated']);
});

test('Read how satisfied requesters are', async (t) => {
  const it = await closed(t);
  const { app, send, employee, technician, links } = it;
  await app.request('GET', links.good, { headers: clicked });
  await send('PUT', `/tickets.php?id=${it.ticket_id}`, { status: 'open' });
  await app.request('GET', (await it.close()).bad, { headers: clicked });
  const read = async (query: string) => (await send('GET', `/feedback/satisfaction.php?${query}`)).body.data;
  const figures = { ratings: 2, good: 1, okay: 0, bad: 1, good_percent: 50 };
  t.like((await read('group=technician'))[0], { assigned_to: technician.user_id, ...figures });
  t.like((await read('group=company'))[0], { company_number: employee.company_number, ...figures });
  t.like((await read('group=month'))[0], { month: '2026-03', ...figures });
  t.deepEqual(await read('from=2026-03-03'), []);
});

test('satisfaction figures of more than 3,000 groups are refused rather than cut off', async (t) => {
  const { app, send, employee, ticket_id } = await closed(t);
  const { company_number, employee_number } = employee;
  const rate = (months: readonly number[]) =>
    app.app.database.insert(
      TicketRating,
      months.map((month) => {
        const rated_on = `${2100 + Math.floor(month / 12)}-${String((month % 12) + 1).padStart(2, '0')}-01`;
        const rated = { score: 'good' as const, rated_on, rated_at: `${rated_on}T09:00:00.000Z` };
        return { ...rated, ticket_id, company_number, employee_number, closing_key: String(month) };
      }),
    );
  await rate([...Array(3000).keys()]);
  const read = () => send('GET', '/feedback/satisfaction.php?group=month');
  t.is((await read()).body.data.length, 3000);
  await rate([3000]);
  const refused = await read();
  t.is(refused.status, 400);
  t.is(refused.body.error, 'The figures have too many rows: choose a technician or a company');
});

test('Read whether closing mails ask for a rating; Change whether closing mails ask for a rating', async (t) => {
  const it = await closed(t);
  const { app, send } = it;
  t.deepEqual((await send('GET', '/feedback/settings.php')).body.data, { ask: true });
  const cookie = await signInOnPage(app, await seedTechnician(app));
  const headers = { 'Sec-Fetch-Site': 'same-origin' };
  const { status } = await app.request('PUT', `${staff}/feedback/settings.php`, {
    cookie,
    headers,
    body: { ask: false },
  });
  t.is(status, 200);
  await send('PUT', `/tickets.php?id=${it.ticket_id}`, { status: 'open' });
  t.is((await it.close()).token, '');
});

test('the assignee is notified of a rating', async (t) => {
  const it = await closed(t);
  const { app, technician, links } = it;
  await app.request('GET', links.bad, { headers: clicked });
  await app.app.outbox.drain();
  const cookie = await signInOnPage(app, technician);
  const { body } = await app.request('GET', `${staff}/notifications.php?unread=true`, { cookie });
  t.true(body.data.some((each: any) => each.kind === 'rated' && each.by_name === 'Erin Example'));
});

test('watchers are not asked for a rating', async (t) => {
  const it = await closed(t);
  const { app, send, employee, ticket_id } = it;
  const colleague = await seedEmployee(app, { company_number: employee.company_number });
  await send('PUT', `/tickets.php?id=${ticket_id}`, { status: 'open' });
  const person = await asEmployee(app, employee);
  const added = await person('POST', `/tickets/${ticket_id}/watchers`, { employee_number: colleague.employee_number });
  t.is(added.status, 200);
  await it.close();
  const mails = (await readMails(app)).filter(
    ({ template, to }) => template === 'ticket_closed' && to === colleague.email,
  );
  t.is(mails.length, 1);
  t.notRegex(mails[0]?.text ?? '', /rate\?token/);
});

test('the requester of a merged ticket is not asked for a rating before it is solved', async (t) => {
  const it = await closed(t);
  const { app, send, employee } = it;
  const { company_number, employee_number } = employee;
  const one = await seedTicket(app, { company_number, employee_number, subject: 'Merged away' });
  const two = await seedTicket(app, { company_number, employee_number });
  await app.app.outbox.drain();
  const merged = await send('POST', `/tickets.php?action=merge&id=${one.ticket_id}`, { into: two.ticket_id });
  t.is(merged.status, 200);
  await app.app.outbox.drain();
  const mail = (await readMails(app)).findLast(({ subject }) => subject.endsWith('Closed: Merged away'));
  t.regex(mail?.text ?? '', /Merged into ticket/);
  t.notRegex(mail?.text ?? '', /rate\?token/);
});
