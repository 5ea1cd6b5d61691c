// On-call rotas: weekly rotation, overrides, and cover during absences.
import { zoneOf } from '@keelson/core/kit';
import { Technician } from '@keelson/modules/directory';
import { startApp, testClock } from '@keelson/testing';
import test, { type ExecutionContext } from 'ava';
import { shiftsBetween } from '../../modules/teams/rota/shifts.ts';
import { asKey, seedTechnician } from '../tickets-seed.ts';

const rights = ['teams:read', 'teams:write', 'settings:read', 'settings:write'];

/** A team in Berlin with three people on call from Monday, 2 March, 09:00. */
async function onCall(t: ExecutionContext, now = '2026-03-04T12:00:00.000Z') {
  const app = await startApp(t, { clock: testClock(now) });
  const send = await asKey(app, rights);
  const made = async (path: string, body: unknown) => {
    const answer = await send('POST', path, body);
    if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
    return answer.body.data;
  };
  const hours = [{ weekday: 'monday', from: '09:00', to: '17:00' }];
  const { calendar_id } = await made('/levels/calendars.php', { name: 'Office', time_zone: 'Europe/Berlin', hours });
  const { team_id } = await made('/teams.php', { name: 'Network', calendar_id, rota_from: '2026-03-02' });
  const people: number[] = [];
  for (const rota_position of [2, 1, 3, null]) {
    const { user_id } = await seedTechnician(app);
    people.push(user_id);
    await made('/teams/members.php', { team_id, user_id, skills: [], rota_position });
  }
  const read = async (query = '') => (await send('GET', `/teams/on-call.php?${query}`)).body.data;
  const [second, first, third] = people as [number, number, number];
  return { app, send, made, team_id, first, second, third, read };
}

const brief = (shifts: readonly any[]) => shifts.map((each) => [each.starts_at, each.ends_at, each.user_id]);

test('Read who is on call: members rotate weekly, at the local time of the handover', async (t) => {
  const { app, first, second, third, read, send, team_id, made } = await onCall(t);
  await made('/teams.php', { name: 'No rota' });
  const [team, ...others] = await read('weeks=5');
  t.deepEqual(others, []);
  t.like(team, { team_id, team_name: 'Network', time_zone: 'Europe/Berlin', user_id: first });
  // The clocks go forward on 29 March.
  t.deepEqual(brief(team.shifts), [
    ['2026-03-04T12:00:00Z', '2026-03-09T08:00:00Z', first],
    ['2026-03-09T08:00:00Z', '2026-03-16T08:00:00Z', second],
    ['2026-03-16T08:00:00Z', '2026-03-23T08:00:00Z', third],
    ['2026-03-23T08:00:00Z', '2026-03-30T07:00:00Z', first],
    ['2026-03-30T07:00:00Z', '2026-04-06T07:00:00Z', second],
    ['2026-04-06T07:00:00Z', '2026-04-08T12:00:00Z', third],
  ]);
  app.clock.set('2026-03-09T07:59:59.999Z');
  t.is((await read())[0].user_id, first);
  app.clock.set('2026-03-09T08:00:00.000Z');
  t.is((await read())[0].user_id, second);
  app.clock.set('2026-03-02T07:59:00.000Z');
  t.is((await read())[0].user_id, null);
  await send('PUT', `/teams.php?id=${team_id}`, { handover_time: '08:30', rota_from: '2026-03-01' });
  t.is((await read(`team_id=${team_id}`))[0].user_id, first);
  t.regex(
    (await send('PUT', `/teams.php?id=${team_id}`, { handover_time: '9' })).body.error,
    /handover_time must be a time/,
  );
  await send('PUT', `/teams.php?id=${team_id}`, { rota_from: null });
  t.deepEqual(await read(), []);
});

test('Add an override to an on-call rota; Read an override; List overrides of on-call rotas; Change an override; Delete an override', async (t) => {
  const { app, first, second, third, read, send, made, team_id } = await onCall(t);
  const body = { team_id, user_id: third, starts_at: '2026-03-05T18:00:00Z', ends_at: '2026-03-06T06:00:00Z' };
  const { override_id } = await made('/teams/overrides.php', { ...body, note: 'Swap' });
  const [team] = await read('weeks=1');
  t.deepEqual(brief(team.shifts), [
    ['2026-03-04T12:00:00Z', '2026-03-05T18:00:00Z', first],
    ['2026-03-05T18:00:00Z', '2026-03-06T06:00:00Z', third],
    ['2026-03-06T06:00:00Z', '2026-03-09T08:00:00Z', first],
    ['2026-03-09T08:00:00Z', '2026-03-11T12:00:00Z', second],
  ]);
  t.is(team.shifts[1].override_id, override_id);
  // The latest override applies.
  await made('/teams/overrides.php', { ...body, user_id: second, starts_at: '2026-03-06T00:00:00Z' });
  app.clock.set('2026-03-06T01:00:00.000Z');
  t.is((await read())[0].user_id, second);
  const path = `/teams/overrides.php?id=${override_id}`;
  t.like((await send('GET', path)).body.data, { note: 'Swap', team_name: 'Network', user_id: third });
  t.is((await send('PUT', path, { ends_at: '2026-03-06T00:30:00Z' })).body.data.ends_at, '2026-03-06T00:30:00Z');
  t.is((await send('GET', '/teams/overrides.php?past=true')).body.pagination.total, 1);
  t.is((await send('GET', `/teams/overrides.php?past=false&team_id=${team_id}`)).body.pagination.total, 1);
  for (const [change, error] of [
    [{ ends_at: body.starts_at }, 'ends_at must be after starts_at'],
    [{ user_id: 999 }, 'user_id must be an active technician'],
    [{ team_id: 999 }, 'team_id must be an existing team'],
  ] as const)
    t.is((await send('POST', '/teams/overrides.php', { ...body, ...change })).body.error, error);
  t.is((await send('DELETE', path)).status, 204);
  t.is((await send('DELETE', `/teams.php?id=${team_id}`)).status, 204);
  t.is((await send('GET', '/teams/overrides.php')).body.pagination.total, 0);
});

test('the next person in the rota covers for absent or inactive members, but not in an override', async (t) => {
  const { app, first, second, third, read, made, team_id } = await onCall(t);
  await made('/teams/absences.php', { user_id: first, first_day: '2026-03-05', last_day: '2026-03-05' });
  const [team] = await read('weeks=1');
  // Absences are days in the installation's time zone, here UTC.
  t.deepEqual(brief(team.shifts).slice(0, 3), [
    ['2026-03-04T12:00:00Z', '2026-03-05T00:00:00Z', first],
    ['2026-03-05T00:00:00Z', '2026-03-06T00:00:00Z', second],
    ['2026-03-06T00:00:00Z', '2026-03-09T08:00:00Z', first],
  ]);
  app.clock.set('2026-03-05T12:00:00.000Z');
  for (const user_id of [second, third])
    await app.run((ctx) => ctx.db.update(Technician, { user_id }, { active: false }));
  t.is((await read())[0].user_id, null);
  const [starts_at, ends_at] = ['2026-03-05T00:00:00Z', '2026-03-06T00:00:00Z'];
  await made('/teams/overrides.php', { team_id, user_id: first, starts_at, ends_at });
  t.is((await read())[0].user_id, first);
});

test('an absence until the last day of the year 9999 has no end, and neither has the rota', async (t) => {
  const { first, second, read, made } = await onCall(t);
  await made('/teams/absences.php', { user_id: first, first_day: '2026-03-05', last_day: '9999-12-31' });
  const [team] = await read('weeks=1');
  t.deepEqual(brief(team.shifts).slice(0, 2), [
    ['2026-03-04T12:00:00Z', '2026-03-05T00:00:00Z', first],
    ['2026-03-05T00:00:00Z', team.shifts[1].ends_at, second],
  ]);
  const rota = { zone: zoneOf('America/New_York'), from: '2026-03-02', handover: '09:00', order: [1] };
  const [from, to] = ['9999-12-20T00:00:00.000Z', '9999-12-31T23:00:00.000Z'];
  t.like(shiftsBetween(rota, [], [], from, to), { length: 1, 0: { from, to, user_id: 1 } });
});

test('shifts cover every instant without gaps, in any time zone and year', (t) => {
  for (const name of ['UTC', 'America/New_York', 'Australia/Lord_Howe', 'Pacific/Apia'])
    for (const start of ['2024-02-28T00:00:00.000Z', '2026-10-20T05:00:00.000Z', '2031-03-01T23:59:00.000Z']) {
      const end = `${Number(start.slice(0, 4)) + 1}${start.slice(4).replace('02-28', '02-27')}`;
      const rota = { zone: zoneOf(name), from: '2023-12-31', handover: '02:30', order: [1, 2, 3] };
      const shifts = shiftsBetween(rota, [], [], start, end);
      t.is(shifts[0]?.from, start);
      t.is(shifts.at(-1)?.to, end);
      for (const [at, each] of shifts.entries()) {
        const next = shifts[at + 1];
        if (!next) continue;
        t.is(each.to, next.from);
        t.is(next.user_id, ((each.user_id ?? 0) % 3) + 1);
        t.true(each.from < each.to);
      }
    }
});
