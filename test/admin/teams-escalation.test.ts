// Escalation chains: steps, acknowledgement, quiet hours, channels.
import { plus, type Context } from '@keelson/core';
import { Technician } from '@keelson/modules/directory';
import { readMails, startApp, testClock } from '@keelson/testing';
import test, { type ExecutionContext } from 'ava';
import { readTroubles } from '../../core/plugin/troubles.ts';
import { Notification } from '../../modules/desk/entities.ts';
import { Escalation } from '../../modules/teams/escalation/entities.ts';
import { endEscalation } from '../../modules/teams/escalation/escalations.ts';
import { runDue } from '../../modules/teams/escalation/run-due.ts';
import { Team } from '../../modules/teams/teams/entities.ts';
import { startReceiver } from '../_receiver.ts';
import { failing, refuseWrites } from '../_refused-writes.ts';
import { seedTechnician, signInOnPage } from '../accounts-seed.ts';
import { secondProcess } from '../core/_second-process.ts';
import { asKey, seedCompany, seedTicket, staff } from '../tickets-seed.ts';

const rights = ['tickets:read', 'tickets:write', 'teams:read', 'teams:write', 'settings:read', 'settings:write'];

/**
 * A team that escalates critical tickets: to the person on call at once, to a technician after 10 minutes, to everyone
 * after 30.
 */
async function chain(t: ExecutionContext, more: object = {}) {
  const app = await startApp(t, { clock: testClock('2026-03-02T09:00:00.000Z') });
  const send = await asKey(app, rights);
  const made = async (path: string, body: unknown) => {
    const answer = await send('POST', path, body);
    if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
    return answer.body.data;
  };
  const team = await made('/teams.php', { name: 'Network', escalate_priority: 1, rota_from: '2026-03-02', ...more });
  const { team_id } = team;
  const people = [await seedTechnician(app), await seedTechnician(app), await seedTechnician(app)];
  const [first, second, third] = people.map(({ user_id }) => user_id) as [number, number, number];
  await made('/teams/members.php', { team_id, user_id: first, skills: [], rota_position: 1 });
  await made('/teams/members.php', { team_id, user_id: second, skills: [] });
  await made('/teams/steps.php', { team_id, after_minutes: 0, notify: 'on_call' });
  await made('/teams/steps.php', { team_id, after_minutes: 10, notify: 'technician', user_id: third, by_mail: false });
  await made('/teams/steps.php', { team_id, after_minutes: 30, notify: 'team', to_channel: true });
  const { company_number } = await seedCompany(app);
  const critical = async () => {
    const ticket = await seedTicket(app, { company_number, team_id, priority: 1, assigned_to: third, subject: 'Down' });
    await app.app.outbox.drain();
    return ticket;
  };
  /** Advances the clock and runs the job as often as it would run. */
  const wait = async (minutes: number) => {
    for (let i = 0; i < minutes || i === 0; i++) {
      if (minutes > 0) app.clock.set(plus(app.clock.now(), { minutes: 1 }));
      await app.app.scheduler.runNow('teams.escalate');
    }
    await app.app.outbox.drain();
  };
  const told = async () => {
    const rows = await app.app.database.find(Notification, {
      where: { kind: 'escalated' },
      order: { notification_id: 'ASC' },
    });
    return rows.map(({ user_id }) => user_id);
  };
  const open = async () => (await send('GET', '/teams/escalations.php?open=true')).body.data;
  return { app, send, made, team, team_id, people, first, second, third, company_number, critical, wait, told, open };
}

const mailsOf = async (its: Awaited<ReturnType<typeof chain>>) =>
  (await readMails(its.app)).filter(({ template }) => template === 'ticket_escalated');

test('List escalations: steps run one after another until no one is left to notify', async (t) => {
  const its = await chain(t);
  const { app, send, first, second, third, critical, wait, told, open } = its;
  const { ticket_id } = await critical();
  t.like(await open(), { length: 1, 0: { ticket_id, cause: 'priority', team_name: 'Network', acknowledged_at: null } });
  t.deepEqual(await told(), []);
  await wait(0);
  t.deepEqual(await told(), [first]);
  await wait(9);
  t.deepEqual(await told(), [first]);
  await wait(1);
  t.deepEqual(await told(), [first, third]);
  await wait(20);
  // The first person's notification, still unread, is replaced.
  t.deepEqual(
    (await told()).toSorted((a, b) => a - b),
    [first, second, third],
  );
  await wait(60);
  t.is((await told()).length, 3);
  t.is((await open())[0].next_at, null);
  t.deepEqual(
    (await mailsOf(its)).map(({ to }) => to).toSorted(),
    its.people.flatMap(({ email }, i) => (i === 0 ? [email, email] : i === 1 ? [email] : [])).toSorted(),
  );
  const history = (await send('GET', `/tickets.php?action=history&id=${ticket_id}`)).body.data;
  const { name } = (await app.app.database.findOneBy(Technician, { user_id: first })) ?? { name: '' };
  t.deepEqual(
    history
      .map((each: any) => each.description)
      .filter((each: string) => each.startsWith('Escalat'))
      .toReversed()
      .slice(0, 2),
    ['Escalation in team Network started', `Escalated to ${name}`],
  );
});

test('Acknowledge an escalation: no further step runs', async (t) => {
  const { app, send, people, first, critical, wait, told, open } = await chain(t);
  const { ticket_id } = await critical();
  await wait(0);
  const [{ escalation_id }] = await open();
  const cookie = await signInOnPage(app, people[1] as { email: string });
  const path = `/teams/escalations.php?action=acknowledge&id=${escalation_id}`;
  const done = await app.request('POST', staff + path, { cookie });
  t.is(done.status, 200, done.body.error);
  t.like(done.body.data, {
    acknowledged_by: people[1]?.user_id,
    next_at: null,
    acknowledged_at: '2026-03-02T09:00:00Z',
  });
  // Acknowledging twice has no further effect.
  t.is((await send('POST', path)).body.data.acknowledged_by, people[1]?.user_id);
  t.deepEqual(await open(), []);
  await wait(40);
  t.deepEqual(await told(), [first]);
  t.is((await send('POST', '/teams/escalations.php?action=acknowledge&id=999')).status, 404);
  // The same ticket can escalate again.
  await send('PUT', `/tickets.php?id=${ticket_id}`, { priority: 2 });
  await send('PUT', `/tickets.php?id=${ticket_id}`, { priority: 1 });
  await app.app.outbox.drain();
  t.is((await open()).length, 1);
});

test('Show the page for acknowledging an escalation; Acknowledge an escalation with the link from its mail', async (t) => {
  const its = await chain(t);
  const { app, send, first, critical, wait, open } = its;
  await critical();
  await wait(0);
  const [mail] = await mailsOf(its);
  const [, link = ''] = /(\/escalation\?token=\S+)/.exec(mail?.text ?? '') ?? [];
  const token = link.slice(link.indexOf('=') + 1);
  const post = (value: string) =>
    app.request('POST', '/escalation', {
      headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams({ token: value }).toString(),
    });
  const shown = await app.request('GET', link);
  t.is(shown.status, 200);
  t.regex(shown.text, /Acknowledge escalation/);
  t.is((await open()).length, 1, 'opening the page acknowledges nothing');
  const [id = '', , signed = ''] = token.split('.');
  for (const wrong of ['', 'x', `${id}.${first + 1}.${signed}`, `${Number(id) + 1}.${first}.${signed}`])
    t.is((await post(wrong || '.')).status, 404);
  const done = await post(token);
  t.is(done.status, 200);
  t.regex(done.text, /Escalation acknowledged/);
  const [row] = (await send('GET', '/teams/escalations.php?open=false')).body.data;
  t.is(row.acknowledged_by, first);
  t.regex((await post(token)).text, /Escalation acknowledged/);
  await app.run((ctx) => ctx.db.update(Technician, { user_id: first }, { active: false }));
  t.is((await post(token)).status, 404);
});

test('an escalation ends when its ticket is closed or moved to another team', async (t) => {
  const { send, critical, wait, told, open, first } = await chain(t);
  const one = await critical();
  const other = await critical();
  await wait(0);
  t.deepEqual(await told(), [first, first]);
  await send('PUT', `/tickets.php?id=${one.ticket_id}`, { status: 'closed' });
  await send('PUT', `/tickets.php?id=${other.ticket_id}`, { team_id: null });
  await wait(10);
  t.deepEqual(await open(), []);
  t.deepEqual(await told(), [first, first]);
});

test('a chain whose last step has run ends with its ticket, so that the ticket can escalate again', async (t) => {
  const { send, made, first, critical, wait, open } = await chain(t);
  const { ticket_id } = await critical();
  const change = async (body: object) => {
    t.is((await send('PUT', `/tickets.php?id=${ticket_id}`, body)).status, 200);
    await wait(0);
  };
  await wait(40);
  t.like(await open(), { length: 1, 0: { next_at: null } });
  await change({ status: 'closed' });
  t.deepEqual(await open(), []);
  await change({ status: 'open' });
  t.like(await open(), { length: 1, 0: { cause: 'priority' } });
  await wait(40);
  const { team_id } = await made('/teams.php', { name: 'Servers', escalate_priority: 1 });
  await made('/teams/members.php', { team_id, user_id: first, skills: [] });
  await made('/teams/steps.php', { team_id, after_minutes: 0, notify: 'team' });
  await change({ team_id });
  t.like(await open(), { length: 1, 0: { team_name: 'Servers' } });
});

test('service levels start escalations for teams configured to', async (t) => {
  const { app, made, send, team_id, company_number, open } = await chain(t, {
    escalate_priority: null,
    escalate_breached: true,
  });
  await made('/levels/policies.php', { name: 'Gold', targets: [{ priority: 3, response_minutes: 60 }] });
  app.clock.set('2026-03-02T09:05:00.000Z');
  await seedTicket(app, { company_number, team_id });
  await seedTicket(app, { company_number, team_id, priority: 1 });
  const pass = async (at: string) => {
    app.clock.set(at);
    await app.app.scheduler.runNow('levels.announce');
    await app.app.outbox.drain();
  };
  await pass('2026-03-02T09:50:00.000Z');
  t.deepEqual(await open(), [], 'a warning starts nothing here');
  await send('PUT', `/teams.php?id=${team_id}`, { escalate_warned: true });
  await pass('2026-03-02T10:05:00.000Z');
  t.like(await open(), { length: 1, 0: { ticket_id: 1, cause: 'sla_breached' } });
});

test('steps wait for business hours if the team has quiet hours', async (t) => {
  const { app, made, send, team_id, critical, wait, told, first, open } = await chain(t);
  const hours = [{ weekday: 'monday', from: '12:00', to: '17:00' }];
  const { calendar_id } = await made('/levels/calendars.php', { name: 'Office', time_zone: 'UTC', hours });
  await send('PUT', `/teams.php?id=${team_id}`, { calendar_id, quiet_hours: true });
  await critical();
  await wait(5);
  t.deepEqual(await told(), []);
  t.is((await open())[0].next_at, '2026-03-02T12:00:00Z');
  app.clock.set('2026-03-02T12:00:00.000Z');
  await wait(0);
  t.deepEqual(await told(), [first]);
  // The next step still waits its ten minutes.
  t.is((await open())[0].next_at, '2026-03-02T12:10:00Z');
});

test('a chain that finds no one available repeats until it has notified someone', async (t) => {
  const { app, send, made, critical, wait, told, first, second, third, open } = await chain(t);
  const absences: number[] = [];
  for (const user_id of [first, second, third]) {
    const away = { user_id, first_day: '2026-03-02', last_day: '2026-03-02' };
    absences.push((await made('/teams/absences.php', away)).absence_id);
  }
  const { ticket_id } = await critical();
  await app.app.database.update(Technician, { user_id: third }, { active: false });
  // Steps that find no one do not wait for their minutes; then the chain starts over.
  for (let i = 0; i < 3; i++) await runDue(app.app.system());
  t.deepEqual(await told(), []);
  t.is((await open())[0].next_at, '2026-03-02T09:05:00Z');
  await wait(15);
  t.deepEqual(await told(), []);
  await send('DELETE', `/teams/absences.php?id=${absences[1]}`);
  await wait(10);
  t.deepEqual(await told(), [second]);
  const { body } = await send('GET', `/tickets.php?action=history&id=${ticket_id}`);
  const said = body.data.map((each: any) => each.description as string);
  t.is(said.filter((each: string) => each === 'Escalated to nobody, because nobody is available').length, 3);
});

test('an escalation that keeps failing is reported, although the job succeeds while it is put off', async (t) => {
  const { app, critical } = await chain(t);
  await critical();
  await refuseWrites(t, app, { table: 'mail', column: 'template', value: 'ticket_escalated', write: 'INSERT' });
  t.deepEqual(await readTroubles(app.app.system()), []);
  for (let minute = 0; minute < 3; minute++) {
    await failing(t, app, 'teams.escalate');
    app.clock.set(plus(app.clock.now(), { seconds: 30 }));
    t.is((await app.app.scheduler.runNow('teams.escalate'))?.outcome, 'done');
    app.clock.set(plus(app.clock.now(), { seconds: 30 }));
  }
  t.like(await readTroubles(app.app.system()), [{ kind: 'job', name: 'teams.escalate' }]);
});

test('a step that fails while its escalation ends does not put it off', async (t) => {
  const { app, critical } = await chain(t);
  await critical();
  const system = app.app.system();
  const [escalation] = await app.app.database.find(Escalation);
  let failed = false;
  const transaction = async (work: (ctx: Context<undefined>) => Promise<void>) => {
    if (failed) return system.transaction(work);
    failed = true;
    await system.transaction((ctx) => endEscalation(ctx, escalation?.escalation_id ?? 0));
    throw new Error('Connection lost');
  };
  const outside = Object.create(system, { transaction: { value: transaction } }) as Context<undefined>;
  await t.throwsAsync(runDue(outside), { message: /Connection lost/ });
  t.is((await app.app.database.findOneBy(Escalation, {}))?.next_at, null);
});

test('each step runs once with two processes', async (t) => {
  const { app, critical, told, first } = await chain(t);
  for (let i = 0; i < 4; i++) await critical();
  const other = await secondProcess(t, app);
  await Promise.all([app.app, other, app.app, other].map((each) => runDue(each.system())));
  await app.app.outbox.drain();
  t.deepEqual(await told(), [first, first, first, first]);
  t.is((await readMails(app)).filter(({ template }) => template === 'ticket_escalated').length, 4);
});

test('a step is posted to the channel, whose URL is never shown', async (t) => {
  const receiver = await startReceiver(t);
  const { app, send, team, team_id, critical, wait } = await chain(t, { channel: 'teams', channel_url: receiver.url });
  t.is(team.has_channel, true);
  t.false(JSON.stringify(team).includes(receiver.url));
  const stored = await app.app.database.findOneBy(Team, { team_id });
  t.false(JSON.stringify(stored).includes(receiver.url));
  await critical();
  await wait(30);
  await receiver.until(1);
  t.is(receiver.received.length, 1);
  t.is(receiver.received[0]?.json.attachments[0].content.body[1].text, 'Down');
  await send('PUT', `/teams.php?id=${team_id}`, { channel: 'slack' });
  const { company_number } = await seedCompany(app);
  await seedTicket(app, { company_number, team_id, priority: 1, subject: 'Call <!channel> & co' });
  await app.app.outbox.drain();
  await wait(31);
  await receiver.until(2);
  t.regex(receiver.received[1]?.json.text, /Call &lt;!channel&gt; &amp; co/);
  const refused = await send('PUT', `/teams.php?id=${team_id}`, { channel_url: 'http://169.254.169.254/' });
  t.is(refused.status, 400);
  t.regex(refused.body.error, /^channel_url: /);
  t.is((await send('PUT', `/teams.php?id=${team_id}`, { channel_url: null })).body.data.has_channel, false);
});

test('Add a step to an escalation chain; Read a step of an escalation chain; List steps of escalation chains; Change a step of an escalation chain; Delete a step of an escalation chain', async (t) => {
  const { send, team_id, first } = await chain(t);
  const { data } = (await send('GET', `/teams/steps.php?team_id=${team_id}`)).body;
  t.deepEqual(
    data.map((each: any) => [each.after_minutes, each.notify]),
    [
      [0, 'on_call'],
      [10, 'technician'],
      [30, 'team'],
    ],
  );
  const path = `/teams/steps.php?id=${data[0].step_id}`;
  t.is((await send('PUT', path, { after_minutes: 5 })).body.data.after_minutes, 5);
  t.is((await send('GET', path)).body.data.after_minutes, 5);
  const body = { team_id, after_minutes: 1, notify: 'technician' };
  for (const [change, error] of [
    [{}, 'user_id is required'],
    [{ user_id: 999 }, 'user_id must be an active technician'],
    [{ notify: 'team', user_id: first }, 'user_id must be empty unless notify is technician'],
    [{ team_id: 999, user_id: first }, 'team_id must be an existing team'],
  ] as const)
    t.is((await send('POST', '/teams/steps.php', { ...body, ...change })).body.error, error);
  t.is((await send('DELETE', path)).status, 204);
  t.is((await send('DELETE', `/teams.php?id=${team_id}`)).status, 204);
  t.is((await send('GET', '/teams/steps.php')).body.pagination.total, 0);
});
