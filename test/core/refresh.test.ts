import { plus, Problem } from '@keelson/core';
import { openSession, refreshSession } from '@keelson/modules/accounts';
import { openApp, testClock, type TestApp } from '@keelson/testing';
import test from 'ava';
import { assertProperty, fc } from '../_random.ts';
import { seedEmployee } from '../accounts-seed.ts';

// Simulates a client and a thief, each with a copy of their latest token. The model tracks each token's ancestors and
// use, independently of how tokens are stored.

interface Model {
  readonly parent: Map<string, string | undefined>;
  /** The newest accepted token; its ancestors and their other successors are retired. */
  current: string;
  /** When a token was retired by its own successor; only these have a grace period. */
  readonly retiredByChild: Map<string, { at: string; child: string }>;
  ended: boolean;
}

const who = fc.constantFrom('client' as const, 'thief' as const);
const steps = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: fc.record({ kind: fc.constant('use' as const), who, keeps: fc.boolean() }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('steal' as const) }) },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('replay' as const), age: fc.nat(6) }) },
    {
      weight: 2,
      arbitrary: fc.record({ kind: fc.constant('wait' as const), seconds: fc.constantFrom(1, 30, 61, 900) }),
    },
  ),
  { minLength: 1, maxLength: 25 },
);

test('reusing a refresh token after its successor ends the session', async (t) => {
  const clock = testClock();
  const app = await openApp({ clock });
  t.teardown(() => app.close());
  const employee = await seedEmployee(app);
  const property = fc.asyncProperty(steps, async (script) => {
    const first = (await app.run((ctx) => openSession(ctx, employee))).refresh_token;
    const model: Model = {
      parent: new Map([[first, undefined]]),
      current: first,
      retiredByChild: new Map(),
      ended: false,
    };
    const held = { client: first, thief: first };
    for (const step of script) {
      if (step.kind === 'wait') clock.set(plus(clock.now(), { seconds: step.seconds }));
      else if (step.kind === 'steal') held.thief = held.client;
      else if (step.kind === 'replay') await use(app, model, [...model.parent.keys()][step.age] ?? first);
      else held[step.who] = (await use(app, model, held[step.who], step.keeps)) ?? held[step.who];
    }
  });
  await assertProperty(t, property, { numRuns: 150 });
  t.pass();
});

test('a single client is never signed out, however many responses are lost', async (t) => {
  const clock = testClock();
  const app = await openApp({ clock });
  t.teardown(() => app.close());
  const employee = await seedEmployee(app);
  const property = fc.asyncProperty(fc.array(fc.boolean(), { minLength: 1, maxLength: 20 }), async (arrives) => {
    let held = (await app.run((ctx) => openSession(ctx, employee))).refresh_token;
    for (const arrived of arrives) {
      clock.set(plus(clock.now(), { seconds: 900 }));
      const { refresh_token } = await refreshSession(app.app.system(), { refresh_token: held });
      if (arrived) held = refresh_token;
    }
  });
  await assertProperty(t, property, { numRuns: 50 });
  t.pass();
});

test('concurrent uses of one token family are serialised', async (t) => {
  const app = await openApp();
  t.teardown(() => app.close());
  const employee = await seedEmployee(app);
  const { refresh_token } = await app.run((ctx) => openSession(ctx, employee));
  const answers = await Promise.all(
    Array.from({ length: 4 }, () => refreshSession(app.app.system(), { refresh_token })),
  );
  t.is(new Set(answers.map((each) => each.refresh_token)).size, 4);
  const outcomes = await Promise.allSettled(
    answers.slice(0, 2).map((each) => refreshSession(app.app.system(), { refresh_token: each.refresh_token })),
  );
  t.deepEqual(outcomes.map((each) => each.status).toSorted(), ['fulfilled', 'rejected']);
});

/** Uses a token, checks the result against the model, and returns the successor if it is kept. */
async function use(app: TestApp, model: Model, token: string, keeps = false): Promise<string | undefined> {
  const expected = outcomeOf(model, token, app.clock.now());
  const successor = await attempt(app, token);
  if (expected === 'refused') {
    if (successor !== undefined) throw new Error('a token was accepted that must be rejected');
    model.ended = true;
    return undefined;
  }
  if (successor === undefined) throw new Error(`a ${expected} token was rejected`);
  if (expected === 'pending') {
    const before = model.current;
    model.retiredByChild.set(before, { at: app.clock.now(), child: token });
    model.current = token;
  }
  model.parent.set(successor, model.current);
  return keeps ? successor : undefined;
}

function outcomeOf(model: Model, token: string, now: string): 'live' | 'pending' | 'retry' | 'refused' {
  if (model.ended) return 'refused';
  if (token === model.current) return 'live';
  if (model.parent.get(token) === model.current) return 'pending';
  const retired = model.retiredByChild.get(token);
  return retired && retired.child === model.current && now <= plus(retired.at, { seconds: 60 }) ? 'retry' : 'refused';
}

async function attempt(app: TestApp, refresh_token: string): Promise<string | undefined> {
  try {
    return (await refreshSession(app.app.system(), { refresh_token })).refresh_token;
  } catch (error) {
    if (error instanceof Problem && error.kind === 'signed-out') return undefined;
    throw error;
  }
}
