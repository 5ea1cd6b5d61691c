import { setTimeout as sleep } from 'node:timers/promises';
import test from 'ava';
import { IsNull, Not } from 'typeorm';
import { sql } from '../../packages/database/statement/sql.ts';
import { nextWait } from '../../packages/events/delivery/attempt.ts';
import { claimDue } from '../../packages/events/delivery/claim.ts';
import { Delivery, finishDelivery, StoredEvent } from '../../packages/events/delivery/delivery.ts';
import { pruneOutbox } from '../../packages/events/delivery/outbox.ts';
import { DeliveryError, type Receivers, type Target } from '../../packages/events/delivery/target.ts';
import { subscriber } from '../../packages/events/subscriber.ts';
import { plus, systemClock } from '../../packages/kit/time.ts';
import { Effect, newDatabase, Opened, twoDatabases, witness, world } from './_outbox.ts';

const never = () => new Promise<never>(() => {});

/** An external receiver of every event. */
function receiver(
  handle: Target['handle'],
  names: readonly string[] = ['hook:1'],
  more: Partial<Target> = {},
): Receivers {
  return { prefix: 'hook:', targets: async () => names, find: async () => ({ ...more, handle }) };
}

test('a committed event reaches each subscriber once', async (t) => {
  const database = await newDatabase();
  t.teardown(() => database.close());
  const { outbox, open, effects } = world(database, [witness('a.count'), witness('b.count')]);
  await open(1, 2, 3);
  t.deepEqual(await outbox.waiting(), { pending: 6, parked: 0 });
  await outbox.drain();
  t.is(await effects('a.count'), 3);
  t.is(await effects('b.count'), 3);
  t.deepEqual(await outbox.waiting(), { pending: 0, parked: 0 });
});

test('receivers are resolved once per kind of event in a transaction, and get all events in order', async (t) => {
  const database = await newDatabase();
  t.teardown(() => database.close());
  const asked: unknown[] = [];
  const targets: Receivers['targets'] = async (_app, _db, { event, cause }) => {
    asked.push([event.name, cause]);
    return cause === null ? ['hook:1'] : [];
  };
  const { outbox, now } = world(database, [], { receivers: [{ ...receiver(never), targets }] });
  await database.transaction(async (tx) => {
    for (const door of [1, 2, 3, 4])
      outbox.store(tx, Opened, { door }, { now: now(), cause: door === 2 ? 'workflow:3' : null });
  });
  t.deepEqual(asked, [
    ['door.opened', null],
    ['door.opened', 'workflow:3'],
  ]);
  const events = new Map((await database.find(StoredEvent)).map((each) => [each.event_id, each.data]));
  const sent = await database.find(Delivery, { order: { delivery_id: 'ASC' } });
  t.deepEqual(
    sent.map((each) => events.get(each.event_id)),
    [{ door: 1 }, { door: 3 }, { door: 4 }],
  );
});

test('the subscriber receives what happened and when', async (t) => {
  const database = await newDatabase();
  t.teardown(() => database.close());
  const seen: unknown[] = [];
  const { outbox, open, now } = world(database, [
    subscriber('a.look', Opened, async (_, { name, at, data }) => void seen.push({ name, at, data })),
  ]);
  await open(7);
  await outbox.drain();
  t.deepEqual(seen, [{ name: 'door.opened', at: now(), data: { door: 7 } }]);
});

test('the subscriber receives the changed fields and the cause', async (t) => {
  const database = await newDatabase();
  t.teardown(() => database.close());
  const seen: unknown[] = [];
  const { outbox, open, now } = world(database, [
    subscriber('a.look', Opened, async (_, { changed, cause }) => void seen.push({ changed, cause })),
  ]);
  await open(1);
  await database.transaction(async (tx) =>
    outbox.store(tx, Opened, { door: 2 }, { now: now(), changed: ['door'], cause: 'workflow:3' }),
  );
  await outbox.drain();
  t.deepEqual(seen, [
    { changed: [], cause: null },
    { changed: ['door'], cause: 'workflow:3' },
  ]);
});

test('a rolled-back transaction leaves neither event nor delivery', async (t) => {
  const database = await newDatabase();
  t.teardown(() => database.close());
  const { outbox, now } = world(database, [witness('a.count')]);
  const failing = database.transaction(async (tx) => {
    outbox.store(tx, Opened, { door: 1 }, { now: now() });
    throw new Error('no');
  });
  await t.throwsAsync(failing, { message: 'no' });
  t.is(await database.count(StoredEvent), 0);
  t.is(await database.count(Delivery), 0);
});

test('mismatching data is rejected before anything is written', async (t) => {
  const database = await newDatabase();
  t.teardown(() => database.close());
  const { outbox, now } = world(database, [witness('a.count')]);
  const wrong = { door: 'red' } as unknown as { door: number };
  const storing = database.transaction(async (tx) => outbox.store(tx, Opened, wrong, { now: now() }));
  await t.throwsAsync(storing, { message: /door\.opened.*door/ });
  t.is(await database.count(StoredEvent), 0);
});

test('an event without receivers is stored only if all are kept', async (t) => {
  for (const [keepAll, kept] of [
    [false, 0],
    [true, 1],
  ] as const) {
    const database = await newDatabase();
    const { outbox, open } = world(database, [], { keepAll });
    await open(1);
    t.is(await database.count(StoredEvent), kept);
    t.deepEqual(await outbox.waiting(), { pending: 0, parked: 0 });
    await database.close();
  }
});

test('an event without subscribers is stored only if it has receivers, with their deliveries', async (t) => {
  const database = await newDatabase();
  t.teardown(() => database.close());
  const wanted = { name: 'hook:1', handle: async () => {} };
  const receivers = [
    {
      prefix: 'hook:',
      targets: async (_app: unknown, _db: unknown, { cause }: { cause: string | null }) =>
        cause === 'workflow:3' ? [] : [wanted.name],
      find: async () => wanted,
    },
  ];
  const { outbox, now } = world(database, [], { receivers });
  await database.transaction(async (tx) => {
    outbox.store(tx, Opened, { door: 1 }, { now: now() });
    outbox.store(tx, Opened, { door: 2 }, { now: now(), cause: 'workflow:3' });
    outbox.store(tx, Opened, { door: 3 }, { now: now() });
  });
  const stored = await database.find(StoredEvent);
  t.deepEqual(
    stored.map(({ data }) => (data as { door: number }).door).toSorted((a, b) => a - b),
    [1, 3],
  );
  const deliveries = await database.find(Delivery);
  t.deepEqual(
    deliveries.map(({ event_id, subscriber }) => `${event_id} ${subscriber}`).toSorted(),
    stored.map(({ event_id }) => `${event_id} ${wanted.name}`).toSorted(),
  );
});

test('a failing handler is rolled back and retried with backoff, then parked', async (t) => {
  const database = await newDatabase();
  t.teardown(() => database.close());
  let calls = 0;
  const { outbox, open, wait, effects } = world(database, [
    subscriber('a.fail', Opened, async (ctx, { event_id }) => {
      calls++;
      await ctx.db.insert(Effect, { subscriber: 'a.fail', event_id });
      throw new Error('cannot');
    }),
    witness('b.count'),
  ]);
  await open(1);
  await outbox.drain();
  t.is(calls, 1);
  t.is(await effects('b.count'), 1);
  wait({ seconds: 3 });
  await outbox.drain();
  t.is(calls, 1, 'not before 5 s − 20 %');
  for (let i = 0; i < 10; i++) {
    wait({ hours: 30 });
    await outbox.drain();
  }
  t.is(calls, 8);
  t.is(await effects('a.fail'), 0);
  t.deepEqual(await outbox.waiting(), { pending: 0, parked: 1 });
  t.is((await database.findOneBy(Delivery, { state: 'parked' }))?.error, 'cannot');
});

test('a handler that recovers delivers the event after all', async (t) => {
  const database = await newDatabase();
  t.teardown(() => database.close());
  let broken = true;
  const { outbox, open, wait, effects } = world(database, [
    witness('a.count', async () => {
      if (broken) throw new Error('not yet');
    }),
  ]);
  await open(1);
  await outbox.drain();
  broken = false;
  wait({ seconds: 7 });
  await outbox.drain();
  t.is(await effects(), 1);
});

test('each delay is within 20 % of the schedule', (t) => {
  const retrySchedule = [0, 5, 30];
  for (let i = 0; i < 200; i++) {
    const wait = nextWait(1, retrySchedule) ?? 0;
    t.true(wait >= 4 && wait <= 6);
  }
  t.is(nextWait(3, retrySchedule), undefined);
});

test('a receiver can set the next attempt or stop retrying', (t) => {
  t.is(nextWait(1, [0, 5], new DeliveryError('busy', { retryAfterSeconds: 900 })), 900);
  t.is(nextWait(1, [0, 5], new DeliveryError('gone', { final: true })), undefined);
});

test.serial('a handler that never ends blocks no one and its late writes are lost', async (t) => {
  const database = await newDatabase();
  t.teardown(() => database.close());
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const late = Promise.withResolvers<unknown>();
  const { outbox, open, effects } = world(
    database,
    [
      subscriber('a.hang', Opened, async (ctx, { event_id }) => {
        await released;
        await ctx.db.insertReturningId(Effect, { subscriber: 'a.hang', event_id }).then(late.resolve, late.resolve);
      }),
      witness('b.count'),
    ],
    { deadlineSeconds: 1 },
  );
  await open(1, 2, 3, 4, 5);
  await outbox.drain();
  t.is(await effects('b.count'), 5);
  release();
  t.true((await late.promise) instanceof Error);
  t.is(await effects('a.hang'), 0);
  t.is((await outbox.waiting()).pending, 5);
});

test.serial('hanging subscribers barely delay the others', async (t) => {
  const database = await newDatabase();
  t.teardown(() => database.close());
  // Outside a transaction: a hang inside one would hold SQLite's only connection.
  const receivers = [receiver(never, ['hook:1', 'hook:2', 'hook:3'])];
  const { outbox, open, effects } = world(database, [witness('b.count')], { receivers, clock: systemClock });
  outbox.start();
  await open(...Array.from({ length: 40 }, (_, i) => i));
  while ((await effects()) < 40) await sleep(5);
  t.is(await database.countBy(Delivery, { error: Not(IsNull()) }), 0, 'the hanging ones still hang');
  await t.notThrowsAsync(outbox.stop());
});

test('a flood for one subscriber does not block another', async (t) => {
  const database = await newDatabase();
  t.teardown(() => database.close());
  let flooded = 0;
  const flood = subscriber('a.flood', Opened, async () => void flooded++);
  const { open, now } = world(database, [flood, witness('b.count')]);
  const events = Array.from({ length: 3000 }, (_, i) => String(i).padStart(32, '0'));
  const early = plus(now(), { hours: -1 });
  await database.insert(
    StoredEvent,
    events.map((event_id) => ({ event_id, name: 'door.opened', at: early, data: {} })),
  );
  await database.insert(
    Delivery,
    events.map((event_id) => ({ event_id, subscriber: 'a.flood', available_at: early })),
  );
  await open(1);
  let before = 0;
  const counted = world(database, [flood, witness('b.count', async () => void (before = flooded))]);
  await counted.outbox.drain();
  t.is(flooded, 3001);
  t.true(before < 200, `it waited for ${before} others`);
});

test('an expired lease is taken over, and its former owner changes nothing', async (t) => {
  const database = await newDatabase();
  t.teardown(() => database.close());
  const { outbox, open, wait, now, effects } = world(database, [witness('a.count')]);
  await open(1);
  const lease = { now: now(), until: plus(now(), { seconds: 60 }) };
  const [abandoned] = await claimDue(database, [{ subscriber: 'a.count', limit: 10 }], lease);
  t.truthy(abandoned);
  await outbox.drain();
  t.is(await effects(), 0, 'the lease still runs');
  wait({ seconds: 61 });
  await outbox.drain();
  t.is(await effects(), 1);
  if (abandoned) t.false(await finishDelivery(database, abandoned, now()));
  t.is((await database.findOneBy(Delivery, {}))?.attempts, 2);
});

test('concurrent claims get different deliveries', async (t) => {
  const { one, two, close } = await twoDatabases();
  t.teardown(close);
  const { open, now } = world(one, [witness('a.count')]);
  await open(...Array.from({ length: 60 }, (_, i) => i));
  const lease = { now: now(), until: plus(now(), { seconds: 60 }) };
  const wanted = [{ subscriber: 'a.count', limit: 30 }];
  const claims = await Promise.all([one, two, one, two].map((database) => claimDue(database, wanted, lease)));
  const ids = claims.flat().map((each) => each.delivery_id);
  t.is(new Set(ids).size, ids.length);
  t.true(ids.length > 30, 'whoever came second looked further');
});

test('two processes share 1,500 deliveries, each takes effect once', async (t) => {
  const { one, two, close } = await twoDatabases();
  t.teardown(close);
  const subscribers = [witness('a.count'), witness('b.count'), witness('c.count')];
  const [left, right] = [world(one, subscribers), world(two, subscribers)];
  await one.transaction(async (tx) => {
    for (let door = 0; door < 500; door++) left.outbox.store(tx, Opened, { door }, { now: left.now() });
  });
  await Promise.all([left.outbox.drain(), right.outbox.drain()]);
  // An attempt that timed out on the other's lock is retried after its backoff.
  for (let round = 0; round < 5 && (await left.outbox.waiting()).pending > 0; round++) {
    left.wait({ hours: 1 });
    await left.outbox.drain();
  }
  const effects = await one.find(Effect);
  t.is(effects.length, 1500);
  t.is(new Set(effects.map((each) => `${each.subscriber} ${each.event_id}`)).size, 1500);
  t.deepEqual(await left.outbox.waiting(), { pending: 0, parked: 0 });
});

test.serial('a started outbox delivers right after the commit, including events stored by others', async (t) => {
  const { one, two, close } = await twoDatabases();
  t.teardown(close);
  const more = { clock: systemClock };
  const [left, right] = [world(one, [witness('a.count')], more), world(two, [witness('a.count')], more)];
  left.outbox.start();
  await left.open(1);
  while ((await left.effects()) < 1) await sleep(1);
  await right.open(2);
  while ((await left.effects()) < 2) await sleep(20);
  t.is(await left.effects(), 2);
  await left.outbox.stop();
});

test.serial('stopping releases deliveries that have not started', async (t) => {
  const database = await newDatabase();
  t.teardown(() => database.close());
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const receivers = [receiver(() => released)];
  const { outbox, open, now } = world(database, [], { receivers, clock: systemClock });
  await open(...Array.from({ length: 30 }, (_, i) => i));
  outbox.start();
  while ((await database.countBy(Delivery, { attempts: 1 })) < 30) await sleep(5);
  const stopping = outbox.stop();
  release();
  await stopping;
  const open_ = await database.findBy(Delivery, { state: 'open' });
  t.true(open_.length > 20);
  t.true(open_.every((each) => each.attempts === 0 && each.available_at <= now()));
});

test('deliveries to a removed subscriber are eventually parked, and deleted 90 days later', async (t) => {
  const database = await newDatabase();
  t.teardown(() => database.close());
  const { open } = world(database, [witness('a.count')]);
  await open(1);
  const later = world(database, []);
  for (let i = 0; i < 9; i++) {
    await later.outbox.drain();
    later.wait({ hours: 30 });
  }
  t.deepEqual(await later.outbox.waiting(), { pending: 0, parked: 1 });
  later.wait({ days: 75 });
  t.is(await pruneOutbox(database, later.now()), 0);
  later.wait({ days: 15 });
  t.is(await pruneOutbox(database, later.now()), 1);
});

test('deliveries completed a month ago are deleted; pending, parked and recent ones stay', async (t) => {
  const database = await newDatabase();
  t.teardown(() => database.close());
  let broken = false;
  const { outbox, open, wait, now } = world(database, [
    witness('a.count', async () => {
      if (broken) throw new Error('cannot');
    }),
  ]);
  await open(1, 2);
  await outbox.drain();
  broken = true;
  await open(3);
  await outbox.drain();
  wait({ days: 31 });
  await open(4);
  t.is(await pruneOutbox(database, now()), 2);
  t.is(await database.count(StoredEvent), 2);
  t.is(await database.count(Delivery), 2);
});

test('old events are deleted in one night, also more than 100,000 of them', async (t) => {
  const database = await newDatabase();
  t.teardown(() => database.close());
  const digits = sql`(SELECT 0 AS n UNION SELECT 1 UNION SELECT 2 UNION SELECT 3 UNION SELECT 4 UNION SELECT 5
    UNION SELECT 6 UNION SELECT 7 UNION SELECT 8 UNION SELECT 9)`;
  for (let thousand = 100; thousand < 202; thousand++)
    await database.run(sql`INSERT INTO event (event_id, name, at, data)
      SELECT concat(${String(thousand)}, a.n, b.n, c.n), 'door.opened', '2026-01-01 00:00:00.000', '{}'
      FROM ${digits} AS a, ${digits} AS b, ${digits} AS c`);
  t.is(await pruneOutbox(database, '2026-03-02T09:00:00.000Z'), 102_000);
});

test('permanently failed deliveries are delivered again on request', async (t) => {
  const database = await newDatabase();
  t.teardown(() => database.close());
  let broken = true;
  const { outbox, open, wait, effects } = world(database, [
    witness('a.count', async () => {
      if (broken) throw new Error('cannot');
    }),
  ]);
  await open(1, 2);
  for (let i = 0; i < 9; i++) {
    await outbox.drain();
    wait({ hours: 30 });
  }
  t.deepEqual([...(await outbox.parked())], [['a.count', 2]]);
  broken = false;
  t.is(await outbox.retryParked(), 2);
  await outbox.drain();
  t.is(await effects(), 2);
  t.deepEqual([...(await outbox.parked())], []);
});
