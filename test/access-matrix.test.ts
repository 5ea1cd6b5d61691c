// Calls every operation as every caller, with the caller's own id, a foreign id and a missing id (access-matrix.md).
import { setTimeout as sleep } from 'node:timers/promises';
import { definePlugin, flat, helpdesk, itAdmin, manager, notFound, Problem, signedIn, z } from '@keelson/core';
import { Employee } from '@keelson/modules/directory';
import { findTicket, Ticket } from '@keelson/modules/tickets';
import { startApp, type TestAnswer, type TestApp } from '@keelson/testing';
import test from 'ava';
import { loadInstallation } from '../core/plugin/load/load.ts';
import type { Route } from '../core/plugin/route/route.ts';
import { memoryLimiter } from '../packages/security/limit.ts';
import { idsOf, makerOf, makers, type Id, type Makers } from './_access-ids.ts';
import { readAccessTable, type Expected, type Side } from './_access-table.ts';
import { makeWorld, type Caller, type World } from './_access-world.ts';
import { exhaustiveMs, full, tenth } from './_random.ts';

const { loaded } = await loadInstallation('plugins');
const routes = loaded.flatMap(({ plugin }) => plugin.routes ?? []);
const table = readAccessTable();

/** The requested id. With two ids in the path, the second may be wrong by itself: another record's, or missing. */
type Case = Side | 'of another' | 'of none';
const cases: readonly Case[] = ['own', 'foreign', 'absent', 'of another', 'of none'];

type Asking = World & { readonly known: Makers };

interface Asked {
  readonly route: Route;
  readonly caller: string;
  readonly case: Case;
  readonly expected: Expected;
  readonly answer: TestAnswer;
}

test('every operation answers every caller as recorded in access-matrix.md', async (t) => {
  t.timeout(exhaustiveMs);
  const app = await startApp(t, { limiter: patientLimiter() });
  const chosen = tenth(routes);
  const world = await makeWorld(app);
  const problems: string[] = [];
  let asked = 0;
  for (const route of chosen) {
    const found = await askEverything(world, [route]);
    problems.push(...found.problems);
    asked += found.asked;
    t.true(found.asked > 0 || found.problems.length > 0, `${route.name}: nobody asked`);
  }
  t.log(`${chosen.length} of ${routes.length} operations, ${asked} responses`);
  t.deepEqual(problems, []);
  if (full) t.deepEqual(table.unused(routes.map(({ name }) => name)), [], 'exceptions that are none any more');
});

test('a leaking route and an unlisted route are detected', async (t) => {
  const leaks = [
    helpdesk.get('/leaks/tickets/{id}', {
      title: 'Leak a ticket',
      access: signedIn,
      returns: flat(z.object({ subject: z.string() })),
      // Bypasses every ownership check.
      handle: async (ctx, { params }) => {
        const found = await ctx.db.findOneBy(Ticket, { ticket_id: params.id });
        if (!found) throw notFound('Ticket');
        return found;
      },
    }),
    helpdesk.get('/leaks/guarded/{id}', {
      title: 'Ask for a ticket as core does, and forget whose it is',
      access: signedIn,
      returns: flat(z.object({ subject: z.string() })),
      handle: (ctx, { params }) => findTicket(ctx, params.id),
    }),
    helpdesk.get('/leaks/everybody', {
      title: 'Leak to everybody',
      access: { ...manager, title: 'IT admin' },
      returns: flat(z.object({})),
      handle: () => ({}),
    }),
    helpdesk.get('/leaks/unknown/{id}', {
      title: 'Unknown record',
      access: signedIn,
      returns: flat(z.object({})),
      handle: () => ({}),
    }),
    helpdesk.get('/leaks/rule', {
      title: 'Unknown rule',
      access: { title: 'left-handed', allows: () => true },
      returns: flat(z.object({})),
      handle: () => ({}),
    }),
    helpdesk.get('/leaks/employees/{id}', {
      title: 'Tell a foreign record from an absent one',
      access: itAdmin,
      returns: flat(z.object({})),
      handle: async (ctx, { params }) => {
        const found = await ctx.db.findOneBy(Employee, { employee_number: params.id });
        if (found?.company_number === ctx.actor.company_number) return {};
        throw notFound(found ? 'Foreign employee' : 'Employee');
      },
    }),
  ];
  const plugin = definePlugin({ id: 'leaks', title: 'Leaks', requires: ['directory', 'tickets'], routes: leaks });
  const app = await startApp(t, { limiter: patientLimiter(), plugins: [plugin] });
  const known = {
    'helpdesk /leaks/tickets/{id}': makers['helpdesk /tickets/{id}'],
    'helpdesk /leaks/guarded/{id}': makers['helpdesk /tickets/{id}'],
    'helpdesk /leaks/employees/{id}': makers['helpdesk /employees/{id}'],
  };
  const { problems } = await askEverything(await makeWorld(app), leaks, known);
  const of = (name: string) => problems.filter((each) => each.startsWith(`helpdesk GET ${name}: `));
  t.deepEqual(
    of('/leaks/guarded/{id}').filter((each) => each.includes('foreign')),
    [],
    'another company’s record is as if it were not there, whatever the route forgot',
  );
  t.is(of('/leaks/tickets/{id}').length, 5);
  t.regex(of('/leaks/tickets/{id}')[0] ?? '', /reader, foreign: 200 instead of 404/);
  t.deepEqual(
    of('/leaks/everybody').map((each) => each.slice(0, 70)),
    [
      'helpdesk GET /leaks/everybody: manager, own: 200 instead of 403: {}',
      'helpdesk GET /leaks/everybody: IT admin, own: 403 instead of ok: {"err',
    ],
  );
  t.regex(
    of('/leaks/unknown/{id}')[0] ?? '',
    /No maker for the record "helpdesk \/leaks\/unknown\/\{id\}": add a line/,
  );
  t.regex(
    of('/leaks/rule')[0] ?? '',
    /No row says who of the helpdesk surface may use the rule "left-handed": add one/,
  );
  t.regex(of('/leaks/employees/{id}')[0] ?? '', /IT admin can tell ids apart: .*Foreign employee/s);
});

/** Returns the deviations from the table as sentences, and the number of responses checked. */
async function askEverything(
  world: World,
  asked: readonly Route[],
  known: Makers = makers,
): Promise<{ problems: string[]; asked: number }> {
  const problems: string[] = [];
  let count = 0;
  for (const route of asked) {
    try {
      const answers = await onceAvailable(() => askAll({ ...world, known }, route));
      count += answers.length;
      problems.push(...answers.filter((each) => !fits(each)).map(described), ...differences(answers));
    } catch (error) {
      problems.push(`${route.name}: ${error instanceof Error ? error.message : String(error)}`);
    }
    // The request may have ended a session.
    if (route.method !== 'get' && world.app.app.ownerOf(route).id === 'accounts') await world.renew();
  }
  return { problems, asked: count };
}

/** A busy machine may briefly refuse a database connection or an import slot; retry everything then. */
async function onceAvailable(work: () => Promise<Asked[]>, tries = 20): Promise<Asked[]> {
  try {
    const answers = await work();
    if (tries === 0 || answers.every(({ answer }) => answer.status !== 503 && answer.status !== 429)) return answers;
  } catch (error) {
    if (tries === 0 || !(error instanceof Problem) || error.kind !== 'unavailable') throw error;
  }
  await sleep(500);
  return onceAvailable(work, tries - 1);
}

/**
 * A limiter whose windows have always just expired: it counts like the real one, but no test run reaches its limits.
 */
function patientLimiter() {
  let minutes = 0;
  return memoryLimiter({ clock: { monotonic: () => ++minutes * 60_000, unix: () => Date.now() } });
}

async function askAll(world: Asking, route: Route): Promise<Asked[]> {
  const callers = world.callers(route.surface.id);
  const named = table.callers(route.surface.id);
  if (named.join() !== Object.keys(callers).join())
    throw new Error(`The callers do not match the table: ${named.join(', ')}`);
  const shared = new Map<string, Id>();
  const each = Object.entries(callers).map(async ([name, caller]) => {
    const { length } = route.template.params;
    const answers: Asked[] = [];
    for (const one of cases.slice(0, [1, 3][length] ?? 5)) {
      const expected = expectedOf(route, name, one);
      // A refused caller changes nothing, so one record serves them all.
      const fresh = route.method !== 'get' && /ok|page/.test(expected);
      const ids = await idsFor(world, route, caller, one, fresh ? new Map() : shared);
      answers.push({ route, caller: name, case: one, expected, answer: await ask(world.app, route, caller, ids) });
    }
    return answers;
  });
  return (await Promise.all(each)).flat();
}

function expectedOf(route: Route, caller: string, one: Case): Expected {
  const { id, rule } = { id: route.surface.id, rule: route.access.title };
  const side = one === 'own' || one === 'foreign' ? one : 'absent';
  const exception = table.exception(route.name, caller, side);
  if (exception !== undefined) return exception;
  const first = table.rule(id, rule, caller);
  if (first !== 'ok') return first;
  return route.template.params
    .map((each) => table.id(idsOf(route, each), side))
    .reduce((worst, next) => (worst === 'ok' ? next : worst), 'ok');
}

const sides: Readonly<Record<Case, Side>> = {
  own: 'own',
  foreign: 'foreign',
  absent: 'absent',
  'of another': 'foreign',
  'of none': 'absent',
};

async function idsFor(world: Asking, route: Route, caller: Caller, one: Case, made: Map<string, Id>): Promise<Id[]> {
  const ids: Id[] = [];
  for (const [i, param] of route.template.params.entries()) {
    const name = idsOf(route, param);
    const last = i === route.template.params.length - 1;
    const side = last ? sides[one] : one === 'of another' || one === 'of none' ? 'own' : one;
    if (side === 'absent') {
      ids.push(param.text ? 'never-was' : 987_654_321);
      continue;
    }
    const person = caller[side];
    const place = `${name} ${side} ${person.employee_number} ${ids.join()}`;
    const id = made.get(place) ?? (await makerOf(world.known, route, param)({ ...world, person, side, parents: ids }));
    made.set(place, id);
    ids.push(id);
  }
  return ids;
}

async function ask(app: TestApp, route: Route, caller: Caller, ids: readonly Id[]): Promise<TestAnswer> {
  let next = 0;
  const path = route.path.replace(/\{[^}]+\}/g, () => encodeURIComponent(ids[next++] ?? ''));
  const credential = await caller.credential(route);
  const body = route.method === 'get' || route.method === 'delete' ? {} : { body: {} };
  return app.request(route.method.toUpperCase(), route.surface.prefix + path, { ...credential, ...body });
}

function fits({ route, expected, answer: { status } }: Asked): boolean {
  if (expected === 'page') return status !== 401 && status < 500;
  if (expected !== 'ok') return String(status) === expected;
  const { returns, surface, method } = route;
  const usual = returns.kind === 'nothing' ? surface.removed({}, undefined).status : returns.status;
  return status === usual || (returns.kind === 'added' && status === 200) || (method !== 'get' && status === 400);
}

function described({ route, caller, case: one, expected, answer }: Asked): string {
  return `${route.name}: ${caller}, ${one}: ${answer.status} instead of ${expected}: ${answer.text.slice(0, 120)}`;
}

/** A refusal reads the same for every id; a foreign record reads like a missing one. */
function differences(asked: readonly Asked[]): string[] {
  return [...Map.groupBy(asked, ({ caller }) => caller).values()].flatMap((own) => {
    const alike = [own.filter(({ answer }) => [401, 403].includes(answer.status)), ...pairs(own)];
    return alike.flatMap((group) => {
      const texts = new Set(group.map(({ answer }) => bytesOf(answer)));
      const [first] = group;
      return texts.size < 2
        ? []
        : [`${first?.route.name}: ${first?.caller} can tell ids apart: ${[...texts].join(' / ')}`];
    });
  });
}

function pairs(own: readonly Asked[]): Asked[][] {
  const missing = own.filter(({ answer }) => answer.status === 404);
  const of = (...names: Case[]) => missing.filter((each) => names.includes(each.case));
  return [of('foreign', 'absent'), of('of another', 'of none')];
}

const telling = /^(?:x-request-id|date|x-ratelimit-.*|connection|keep-alive)$/;

function bytesOf({ status, headers, text }: TestAnswer): string {
  const shown = [...headers].filter(([name]) => !telling.test(name)).map(([name, value]) => `${name}: ${value}`);
  return [status, ...shown, text].join('\n');
}
