// Two processes run the report schedule and are killed in turn: each due time is mailed once.
import { setTimeout as sleep } from 'node:timers/promises';
import { newHash } from '@keelson/modules/accounts';
import { createTechnician } from '@keelson/modules/directory';
import { Report } from '@keelson/modules/reports';
import test, { type ExecutionContext } from 'ava';
import { chance, seed } from '../_random.ts';
import { startNode, type Node } from './_node.ts';
import { amount, engine, makePlace, password, type Place } from './_place.ts';

/** Clock speed of the processes: an hour passes in twelve seconds. */
const SPEED = 300;
const HOUR_MS = 3_600_000 / SPEED;
const DUE = amount(2, 5);
const LONGEST_MS = 300_000;
const PEOPLE = 2;
const JOB = 'reports.schedule';

test.serial(`each due time of a report is mailed once, by any live process (FT-23, ${engine})`, async (t) => {
  t.timeout(400_000);
  t.log(`seed ${seed}`);
  const place = await makePlace(t);
  const start = Date.now();
  await schedule(place, start);
  const kills = await disturb(t, place, start);
  await place.alone();
  await finish(t, place, start);

  const told = await place.ask(`SELECT data FROM event WHERE name = 'reports.due' ORDER BY event_id`);
  const times = told.map(({ data }) => String((JSON.parse(String(data)) as { due_at: string }).due_at));
  t.deepEqual(times, [...new Set(times)], 'no due time twice');
  t.true(times.length >= DUE);
  const mails = await place.ask(
    'SELECT attachment_id, COUNT(*) AS n FROM mail GROUP BY attachment_id ORDER BY attachment_id',
  );
  t.deepEqual(
    mails.map((each) => [String(each['attachment_id']), Number(each['n'])]),
    times
      .map((each) => `report-1-${Date.parse(each)}`)
      .toSorted((a, b) => a.localeCompare(b))
      .map((each) => [each, PEOPLE]),
  );
  t.log(`${engine}: ${times.length} due times, ${kills} kills, ${Math.round((Date.now() - start) / 1000)} s`);
});

/** Schedules an hourly report for a technician who still exists. */
async function schedule({ open }: Place, start: number): Promise<void> {
  await open(async (app) => {
    const ids: number[] = [];
    for (let i = 0; i < PEOPLE; i++) {
      const email = `t${i}@example.com`;
      const password_hash = await newHash(app.system(), password, { email });
      const role = 'administrator';
      const wanted = { name: `Terry ${i}`, email, role, password_hash } as const;
      ids.push((await app.system().transaction((ctx) => createTechnician(ctx, wanted))).user_id);
    }
    const hour = 3_600_000;
    const now = new Date(start).toISOString();
    await app.database.insert(Report, {
      surface: 'admin',
      company_number: null,
      owner_type: 'technician',
      owner_id: ids[0] ?? 0,
      name: 'Hourly',
      source: 'tickets',
      fields: ['subject'],
      filters: [],
      group_by: null,
      aggregates: [],
      sort: [],
      schedule: { cron: '0 * * * *', format: 'csv', recipients: ids },
      next_run_at: new Date(Math.ceil(start / hour) * hour).toISOString(),
      created_by: 'Terry 0',
      last_run_at: null,
      created_at: now,
      updated_at: now,
    });
  });
}

/** The next process completes what is in progress when the last one exits, on the clock that wrote the leases. */
async function finish(t: ExecutionContext, place: Place, start: number): Promise<void> {
  const worker = startNode(t, place, 0, ['test/faults/_worker.ts', String(start), String(SPEED), '0']);
  const told = async () =>
    Number((await place.ask(`SELECT COUNT(*) AS n FROM event WHERE name = 'reports.due'`))[0]?.['n']);
  while ((await mailed(place)) < (await told()) * PEOPLE && Date.now() - start < LONGEST_MS) await sleep(200);
  await worker.end('SIGTERM');
  await place.alone();
}

/** Runs two processes at a time and kills one at a random moment after each mail, until enough are mailed. */
async function disturb(t: ExecutionContext, place: Place, start: number): Promise<number> {
  const worker = () => startNode(t, place, 0, ['test/faults/_worker.ts', String(start), String(SPEED), '0', JOB]);
  const pair: Node[] = [worker(), worker()];
  const isLate = () => Date.now() - start > LONGEST_MS;
  let kills = 0;
  for (let before = 0; before < DUE * PEOPLE && !isLate();) {
    while ((await mailed(place)) <= before && !isLate()) await sleep(200);
    before = await mailed(place);
    await sleep(chance() * HOUR_MS);
    const which = kills++ % 2;
    await pair[which]?.end('SIGKILL');
    pair[which] = worker();
  }
  const said = pair.map((each) => each.said()).join('\n');
  for (const each of pair) await each.end('SIGTERM');
  if (isLate()) t.log(said);
  return kills;
}

async function mailed({ ask }: Place): Promise<number> {
  const [row] = await ask(`SELECT COUNT(*) AS n FROM mail WHERE template = 'scheduled_report'`);
  return Number(row?.['n']);
}
