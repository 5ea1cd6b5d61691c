// Sends tens of thousands of bad requests: every response is documented and fast, and nothing is half done (SEC-25).
import { Agent, request as httpRequest } from 'node:http';
import { definePlugin, plus, sql } from '@keelson/core';
import { name } from '@keelson/core/database';
import { startApp, type TestApp } from '@keelson/testing';
import test from 'ava';
import { threadWorkedMs } from '../../packages/database/sqlite/sqlite-watch.ts';
import { CommitMark } from '../../packages/database/transaction/commit-mark.ts';
import { ErrorLine } from '../../packages/log/error-log.ts';
import { answerJudge } from '../../packages/testing/answers.ts';
import { boundless } from '../_boundless.ts';
import { exhaustiveMs, full, sample, seed } from '../_random.ts';
import { seedEmployee, seedKey, seedTechnician, signIn, signInOnPage } from '../accounts-seed.ts';
import { seedTeam, seedTicket } from '../tickets-seed.ts';
import { badRequests, type BadRequest, type Credential, type Known } from './_bad-requests.ts';
import { Note, probe } from './_probe.ts';

const REQUESTS = Number(process.env['BAD_REQUESTS'] ?? (full ? 20_000 : 2000));
const BATCH = 50;
/** Batches between fresh credentials and records: requests sign people out, change passwords and delete tickets. */
const ROUND = 10;
const AT_ONCE = 10;
/** CPU time of this thread until a response, in which it answers ten requests. */
const MOST_MS = 8000;
const PATIENCE_MS = 60_000;

interface Answer {
  readonly status: number;
  readonly type: string;
  readonly requestId: string;
  readonly text: string;
  readonly ms: number;
}

test('invalid requests never get undocumented responses, hang, or leave partial changes', async (t) => {
  t.timeout(exhaustiveMs);
  const app = await startApp(t, { plugins: [harmless()], limiter: boundless });
  // The generator runs in this process and would trigger the overload guard.
  app.app.guard.stop();
  let requests: ReturnType<typeof badRequests> | undefined;
  const judge = answerJudge(app.app);
  const agent = new Agent({ keepAlive: true, maxSockets: AT_ONCE });
  t.teardown(() => agent.destroy());
  const statuses = new Map<number, number>();
  let compared = 0;
  t.log(`seed ${seed}`);
  for (let batch = 0; batch * BATCH < REQUESTS; batch++) {
    if (!requests || batch % ROUND === 0) requests = badRequests(app, await populate(app));
    const sent = sample(requests, { count: BATCH, batch });
    const before = await countRows(app);
    const answers = await inLanes(sent, (each) => ask(app, agent, each));
    for (const [at, each] of sent.entries()) {
      const answer = answers[at];
      if (!answer) throw new Error('A request was lost');
      statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1);
      const fault = faultOf(judge, each, answer);
      if (fault) return t.fail(await report(app, fault, each, answer, batch));
    }
    const changed = sent.some((each, at) => !isSafe(each.method) && (answers[at]?.status ?? 0) < 400);
    if (changed) continue;
    compared++;
    const left = differences(before, await countRows(app));
    if (left.length > 0) {
      return t.fail(
        `seed ${seed}, batch ${batch}: refusals left rows: ${left.join(', ')}\n${sent.map(told).join('\n')}`,
      );
    }
  }
  t.log(Object.fromEntries([...statuses].toSorted(([a], [b]) => a - b)));
  t.log(`rows compared around ${compared} batches of ${BATCH}`);
  t.is(await app.app.database.count(ErrorLine), 0);
  t.true(compared > REQUESTS / BATCH / 20);
  t.true((statuses.get(400) ?? 0) > REQUESTS / 20, 'many got as far as being judged');
  t.true((statuses.get(200) ?? 0) > REQUESTS / 100, 'and some were not that bad');
  t.is((await app.request('GET', '/helpdesk/api/v1/bootstrap')).status, 200, 'the process lives');
});

/** Returns the probe plugin without its routes that fail on purpose. */
function harmless() {
  const plugin = probe();
  return definePlugin({
    ...plugin,
    routes: (plugin.routes ?? []).filter((route) => !/crash|sql|shape|forgetful/.test(route.path)),
  });
}

async function populate(app: TestApp): Promise<Known> {
  // Lets the waits after wrong passwords expire.
  app.clock.set(plus(app.clock.now(), { hours: 1 }));
  const team = await seedTeam(app);
  const boss = await seedEmployee(app, { company_number: team.company_number, ismgr: true, it_privileges: true });
  const ids: number[] = [];
  for (const company_number of [team.company_number, team.stranger.company_number]) {
    for (let i = 0; i < 2; i++) ids.push((await seedTicket(app, { company_number })).ticket_id);
  }
  await app.run((ctx) => ctx.db.insertReturningId(Note, { body: 'a note' }));
  const people = [team.member, team.manager, team.itAdmin, team.stranger, boss];
  const signedIn = await Promise.all(people.map((each) => signIn(app, each)));
  const cookies = [
    { Cookie: await signInOnPage(app, await seedTechnician(app)) },
    { Cookie: await signInOnPage(app, await seedTechnician(app, 'technician')) },
  ];
  const permissions = app.app.plugins.flatMap((plugin) => plugin.permissions ?? []);
  const of = (surface: string) => permissions.filter((each) => each.surface === surface).map((each) => each.name);
  const admins = [await seedKey(app, 'admin', of('admin')), await seedKey(app, 'admin', [])];
  const crm = [await seedKey(app, 'crm_secret', of('crm')), await seedKey(app, 'crm_public_live')];
  return {
    good: {
      helpdesk: signedIn.flatMap(({ token, cookie }): Credential[] => [
        { Authorization: `Bearer ${token}` },
        { Cookie: cookie },
      ]),
      admin: [...cookies, ...admins.map(({ api_key }): Credential => ({ Authorization: `Bearer ${api_key}` }))],
      crm: crm.map(({ api_key }) => ({ 'X-API-Key': api_key })),
      pages: cookies,
    },
    values: {
      id: ids,
      code: ['workshop', 'WORKSHOP', 'nobody'],
      name: ['x'],
      employee_id: [team.member.employee_number, team.stranger.employee_number],
    },
  };
}

function ask(app: TestApp, agent: Agent, { method, path, headers, body }: BadRequest): Promise<Answer> {
  const { hostname, port } = new URL(app.url);
  const before = threadWorkedMs();
  return new Promise((resolve, reject) => {
    const length = body === undefined ? {} : { 'Content-Length': Buffer.byteLength(body) };
    const options = { hostname, port, method, path, agent, headers: { ...headers, ...length } as never };
    const request = httpRequest(options, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('error', reject);
      const type = response.headers['content-type'] ?? '';
      const done = () =>
        resolve({
          status: response.statusCode ?? 0,
          type,
          requestId: String(response.headers['x-request-id']),
          text: Buffer.concat(chunks).toString('utf8'),
          ms: threadWorkedMs() - before,
        });
      if (!type.startsWith('text/event-stream')) return void response.on('end', done);
      // An event stream never ends.
      done();
      response.destroy();
    });
    request.setTimeout(PATIENCE_MS, () => request.destroy(new Error(`No response to ${method} ${path.slice(0, 200)}`)));
    request.on('error', reject);
    request.end(body);
  });
}

async function inLanes<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  let next = 0;
  const lane = async (): Promise<void> => {
    for (let at = next++; at < items.length; at = next++) results[at] = await work(items[at] as T);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
  return results;
}

/** Returns the fault of a response, if any. */
function faultOf(
  judge: ReturnType<typeof answerJudge>,
  { method, path }: BadRequest,
  answer: Answer,
): string | undefined {
  const { status, type, text, ms } = answer;
  if (status >= 500) return 'a server error';
  if (ms > MOST_MS) return `${Math.round(ms)} ms`;
  if (!/^[0-9a-f]{32}$/.test(answer.requestId)) return 'not answered by the pipeline';
  const isJson = type.startsWith('application/json');
  if (!URL.canParse(path, 'http://localhost') || new URL(path, 'http://localhost').host !== 'localhost') {
    return status === 404 ? undefined : 'a path of another host';
  }
  try {
    judge({ method, path, status, type, body: text === '' ? undefined : isJson ? JSON.parse(text) : text });
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

function told({ method, path, headers, body, from }: BadRequest): string {
  const shown = JSON.stringify({ headers, body: body === undefined ? undefined : String(body).slice(0, 600) });
  return `${from} as ${method} ${path.slice(0, 500)} ${shown}`;
}

async function report(
  app: TestApp,
  fault: string,
  request: BadRequest,
  answer: Answer,
  batch: number,
): Promise<string> {
  await app.app.errorLog.flush();
  const line = await app.app.database.findOneBy(ErrorLine, { request_id: answer.requestId });
  const cause = line ? `\n${line.message}\n${line.stack}` : '';
  return `seed ${seed}, batch ${batch}: ${fault}\n${told(request)}\n${answer.status} ${answer.text.slice(0, 500)}${cause}`;
}

function isSafe(method: string): boolean {
  return ['GET', 'HEAD', 'OPTIONS'].includes(method);
}

/** Counts the rows of every table. A request may update a key's last use, which adds none but the mark of its commit. */
async function countRows(app: TestApp): Promise<Readonly<Record<string, number>>> {
  const counts: Record<string, number> = {};
  for (const table of app.app.database.tables) {
    if (table === CommitMark) continue;
    const [row] = await app.app.database.query<{ n: number }>(sql`SELECT COUNT(*) AS n FROM ${name(table.name)}`);
    counts[table.name] = Number(row?.n);
  }
  return counts;
}

function differences(before: Readonly<Record<string, number>>, after: Readonly<Record<string, number>>): string[] {
  return Object.keys(after).flatMap((each) =>
    after[each] === before[each] ? [] : [`${each} ${before[each]} → ${after[each]}`],
  );
}
