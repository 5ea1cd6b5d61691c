// The calendar feeds of the demo, read by a calendar library and checked against the format's rules (RFC 5545).
import { CalendarFeed, Appointment } from '@keelson/modules/dispatch';
import { createRecurring, TicketTemplate } from '@keelson/modules/planned';
import { Team } from '@keelson/modules/teams';
import { startApp, testClock } from '@keelson/testing';
import test, { type ExecutionContext } from 'ava';
import ICAL from 'ical.js';
import { fillDemo } from '../../modules/demo/demo.ts';
import { createDue } from '../../modules/planned/recurring/create-due.ts';
import { MailAttachment } from '../../packages/mail/mail.ts';
import { cookieOf, postForm } from '../accounts-seed.ts';
import { staff } from '../tickets-seed.ts';

/** Parses a calendar and checks what the parser tolerates. */
function read(t: ExecutionContext, text: string): ICAL.Component {
  t.true(text.endsWith('\r\n'));
  const lines = text.split('\r\n').slice(0, -1);
  for (const line of lines) {
    t.false(/[\r\n]/.test(line));
    t.true(Buffer.byteLength(line) <= 75, line);
  }
  t.is(
    lines.filter((each) => each.startsWith('BEGIN:')).length,
    lines.filter((each) => each.startsWith('END:')).length,
  );
  const calendar = new ICAL.Component(ICAL.parse(text));
  t.is(calendar.getFirstPropertyValue('version'), '2.0');
  t.truthy(calendar.getFirstPropertyValue('prodid'));
  const events = calendar.getAllSubcomponents('vevent');
  t.is(new Set(events.map((each) => each.getFirstPropertyValue('uid'))).size, events.length, 'unique UIDs');
  for (const each of events) {
    for (const name of ['uid', 'dtstamp', 'dtstart', 'dtend', 'summary'])
      t.is(each.getAllProperties(name).length, 1, `${name} of ${each.toString()}`);
    const { startDate, endDate } = new ICAL.Event(each);
    t.true(startDate.compare(endDate) < 0, each.toString());
    t.true(startDate.isDate || startDate.zone === ICAL.Timezone.utcTimezone, 'no time without a zone');
  }
  return calendar;
}

const eventsOf = (calendar: ICAL.Component) =>
  calendar.getAllSubcomponents('vevent').map((each) => new ICAL.Event(each));

test('a calendar client reads the feeds: recurring visits at local times, and cancelled ones', async (t) => {
  // Clocks go forward in New York, the demo's time zone, on March 8.
  const app = await startApp(t, { clock: testClock('2026-03-02T15:00:00.000Z') });
  const made = await fillDemo(app.app);
  const { technician } = made.staff;
  const { user_id } = technician;
  const customer = made.customers[0];
  await app.run(async (ctx) => {
    const template = await ctx.db.findOneBy(TicketTemplate, { name: 'Monthly patch day' });
    await createRecurring(ctx, {
      ...{ name: 'Weekly visit', template_id: template?.template_id ?? 0, starts_on: '2026-03-03', time: '09:00' },
      ...{ rrule: 'FREQ=WEEKLY;BYDAY=TU', visit_user_id: user_id, visit_minutes: 60, visit_days_ahead: 21 },
      company_numbers: [customer?.company.company_number ?? 0],
      visit_employee_number: customer?.colleague.employee_number ?? null,
    });
  });
  for (let i = 0; i < 4; i++) await createDue(app.app.system());

  const { email, password } = technician;
  const cookie = cookieOf((await postForm(app, '/admin/login', { email, password })).headers);
  const send = (method: string, path: string, body?: unknown) =>
    app.request(method, `${staff}${path}`, body === undefined ? { cookie } : { cookie, body });
  const [team] = await app.run((ctx) => ctx.db.findBy(Team, { name: 'Network' }));
  const feeds = [
    { kind: 'own' },
    { kind: 'own', busy_only: true },
    { kind: 'team', team_id: team?.team_id },
    { kind: 'on_call', team_id: team?.team_id },
  ];
  for (const each of feeds) t.is((await send('POST', '/dispatch/feeds.php', each)).status, 200);
  const addresses = (await send('GET', '/dispatch/feeds.php')).body.data.map((each: any) => new URL(each.address));
  const fetched = async (at: number) => {
    const { text } = await app.request('GET', addresses[at].pathname + addresses[at].search, {});
    return read(t, text);
  };
  const own = eventsOf(await fetched(0));
  const inNewYork = (of: ICAL.Event) =>
    of.startDate
      .toJSDate()
      .toLocaleString('en-GB', { timeZone: 'America/New_York', dateStyle: 'short', timeStyle: 'short' });
  t.deepEqual(own.filter((each) => each.summary.includes('Install the monthly updates')).map(inNewYork), [
    '03/03/2026, 09:00',
    '10/03/2026, 09:00',
    '17/03/2026, 09:00',
  ]);
  t.true(own.some((each) => each.summary === 'Absent'));
  t.true(own.filter((each) => each.summary.startsWith('Visit: #')).length >= 5);
  const busy = eventsOf(await fetched(1));
  t.deepEqual(new Set(busy.map((each) => each.summary)), new Set(['Busy']));
  t.is(busy.length, own.length);
  t.true(eventsOf(await fetched(2)).length >= own.length);
  const duty = eventsOf(await fetched(3));
  t.true(duty.length > 10);
  t.is((await app.app.database.find(CalendarFeed)).length, feeds.length);

  // A cancelled visit leaves the feed, and its mail removes it from the contact's calendar.
  const cancelled = await app.app.database.findOneBy(Appointment, {
    ...{ user_id, starts_at: '2026-03-10T13:00:00.000Z' },
  });
  t.is((await send('DELETE', `/dispatch/appointments.php?id=${cancelled?.appointment_id}`)).status, 204);
  await app.app.outbox.drain();
  const uid = new RegExp(`^appointment-${cancelled?.appointment_id}\\.`);
  t.false(eventsOf(await fetched(0)).some((each) => uid.test(each.uid)));
  const files = await app.app.database.find(MailAttachment);
  const calendars = files
    .filter((each) => each.name === 'appointment.ics')
    .map(({ content, attachment_id }) =>
      read(t, Buffer.from(app.app.vault.open(content, `mail attachment ${attachment_id}`), 'base64').toString()),
    );
  const removing = calendars.filter((each) => each.getFirstPropertyValue('method') === 'CANCEL');
  t.is(removing.length, 1);
  const [event] = removing.flatMap(eventsOf);
  t.regex(event?.uid ?? '', uid);
  t.is(event?.component.getFirstPropertyValue('status'), 'CANCELLED');
  t.true((event?.sequence ?? 0) > (cancelled?.sequence ?? 0));
});
