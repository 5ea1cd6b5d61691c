// A ticket's clocks, compared with a state machine that steps through every minute.
import assert from 'node:assert/strict';
import { yieldToOthers } from '@keelson/core/kit';
import test from 'ava';
import type { Kind } from '../../modules/levels/clocks/entities.ts';
import { replay, type Plan, type Step } from '../../modules/levels/clocks/replay.ts';
import { assertProperty, fc, full } from '../_random.ts';
import { isOpen, localMinutes, MINUTE, spans, type Minute } from './_minutes.ts';

const DAYS = 16;
const { start, minutes } = localMinutes('Europe/Berlin', '2026-03-29', DAYS);
const LENGTH = minutes.length;
const at = (minute: number) => new Date(start + minute * MINUTE).toISOString();

// Half hours make it likely that a step coincides with the instant a clock is due.
const halfHours = (most: number) => fc.integer({ min: 1, max: most }).map((n) => n * 30);
const target = fc.option(fc.oneof(halfHours(40), fc.integer({ min: 1, max: 4000 })), { nil: null });
const plan = fc.record({
  hours: fc.record({
    time_zone: fc.constant('Europe/Berlin'),
    week: fc.array(fc.oneof(fc.constant([[540, 1020] as const]), spans), { minLength: 7, maxLength: 7 }),
    days: fc.constant(new Map()),
  }),
  minutes: fc.record({ response: target, next_response: target, resolution: target }),
  outages: fc.constant([]),
  pauses: fc.record({ on_hold: fc.boolean(), customer: fc.boolean(), approval: fc.boolean() }),
  warnings: fc.uniqueArray(fc.integer({ min: 1, max: 99 }), { maxLength: 3 }),
});
const state = fc.record({
  status: fc.constantFrom('open', 'in_progress', 'on_hold', 'closed'),
  pending: fc.boolean(),
  waiting: fc.boolean(),
  last_comment_by: fc.constantFrom('customer', 'technician', null),
  replied: fc.boolean(),
});
const history = fc.record({
  plan,
  first: state.map((each) => ({ ...each, status: 'open' as const, replied: false })),
  later: fc.array(fc.tuple(fc.oneof(halfHours(LENGTH / 45), fc.nat({ max: (LENGTH * 2) / 3 })), state), {
    maxLength: 12,
  }),
  now: fc.nat({ max: LENGTH / 3 - 1 }),
  // Minutes at which outages begin, and their durations.
  outages: fc.array(fc.tuple(fc.nat({ max: LENGTH / 2 }), fc.option(halfHours(96), { nil: null })), { maxLength: 3 }),
});

type History = typeof history extends fc.Arbitrary<infer H> ? H : never;
type State = Omit<Step, 'at'>;

interface Expected {
  readonly kind: Kind;
  readonly started: number;
  consumed: number;
  running: boolean;
  met: number | null;
  breached: number | null;
  due: number | null;
}

/** Steps through the minutes until `now`, then continues with the last state until the running clocks are due. */
function simulate(
  steps: readonly (readonly [number, State])[],
  { hours, minutes: targets, pauses }: Plan,
  now: number,
  outages: History['outages'],
) {
  const clocks: Expected[] = [];
  const begin = (kind: Kind, started: number) =>
    clocks.push({ kind, started, consumed: 0, running: false, met: null, breached: null, due: null });
  const live = (kind: Kind) => clocks.findLast((each) => each.kind === kind && each.met === null);
  let current: State | undefined;
  let answered = false;
  for (let m = 0; m < LENGTH; m++) {
    for (const [, its] of m <= now ? steps.filter(([minute]) => minute === m) : []) {
      if (!current) {
        begin('response', m);
        begin('resolution', m);
      }
      current = its;
      const closed = its.status === 'closed';
      const response = live('response');
      if (response && (its.replied || closed)) response.met = m;
      answered ||= its.replied || closed;
      const next = live('next_response');
      if (next && (closed || !its.waiting)) next.met = m;
      if (answered && !closed && its.waiting && !live('next_response')) begin('next_response', m);
      const resolution = clocks.find((each) => each.kind === 'resolution');
      if (resolution) resolution.met = closed ? (resolution.met ?? m) : null;
      for (const each of clocks) {
        const stopped =
          (pauses.approval && its.pending) ||
          (each.kind === 'resolution' &&
            (closed ||
              (pauses.on_hold && its.status === 'on_hold') ||
              (pauses.customer && its.last_comment_by === 'technician')));
        each.running = each.met === null && !stopped;
      }
    }
    // The current state is assumed to last.
    const moment = Math.min(m, now);
    if (outages.some(([from, length]) => from <= moment && (length === null || moment < from + length))) continue;
    for (const each of clocks) {
      const wanted = targets[each.kind];
      if (wanted === null || !each.running) continue;
      if (each.consumed >= wanted && each.due === null) {
        if (m <= now) each.breached ??= m;
        each.due = m;
      }
      if (isOpen(hours, minutes[m] as Minute)) each.consumed++;
    }
  }
  return clocks.filter((each) => targets[each.kind] !== null);
}

async function compare({ plan: without, first, later, now: rest, outages }: History): Promise<void> {
  await yieldToOthers();
  const steps = [[0, first] as const, ...later.toSorted(([a], [b]) => a - b)];
  const now = Math.max(rest, steps.at(-1)?.[0] ?? 0);
  const its = {
    ...without,
    outages: outages.map(([from, length]) => ({ from: at(from), to: length === null ? null : at(from + length) })),
  };
  const found = replay(
    steps.map(([minute, each]) => ({ at: at(minute), ...each })),
    its,
    at(now),
  );
  const order = (each: { kind: string; started_at: string }) => `${each.kind} ${each.started_at}`;
  const actual = found.map(({ kind, started_at, met_at, breached_at, due_at }) => ({
    kind,
    started_at,
    met_at,
    breached_at,
    due_at,
  }));
  const expected = simulate(steps, its, now, outages).map((each) => {
    const due = each.met === null || each.breached !== null ? each.due : null;
    return {
      kind: each.kind,
      started_at: at(each.started),
      met_at: each.met === null ? null : at(each.met),
      breached_at: each.breached === null ? null : at(each.breached),
      due_at: due === null ? null : at(due),
    };
  });
  // Targets due after the simulated days are left out of the comparison.
  const within = (each: (typeof actual)[number]) => ({
    ...each,
    due_at: each.due_at !== null && each.due_at > at(LENGTH - 1) ? null : each.due_at,
  });
  const sorted = (all: typeof actual) => all.map(within).toSorted((a, b) => (order(a) < order(b) ? -1 : 1));
  assert.deepEqual(sorted(actual), sorted(expected));
}

test('clocks equal a simulation of every minute', async (t) => {
  t.timeout(1_800_000);
  await assertProperty(t, fc.asyncProperty(history, compare), { numRuns: full ? 20_000 : 200 });
  t.pass();
});

const hours = { time_zone: 'UTC', week: Array.from({ length: 7 }, () => [[540, 1020] as const]), days: new Map() };
const office: Plan = {
  hours,
  minutes: { response: 60, next_response: null, resolution: null },
  outages: [],
  pauses: { on_hold: true, customer: true, approval: true },
  warnings: [],
};
const opened = { status: 'open', pending: false, waiting: true, last_comment_by: null, replied: false } as const;

/** Returns the response clock of a ticket opened on a day and answered at these times. */
function responseOf(openedAt: string, repliedAt: string) {
  const steps = [
    { ...opened, at: `2026-06-01T${openedAt}:00.000Z` },
    { ...opened, waiting: false, replied: true, at: `2026-06-01T${repliedAt}:00.000Z` },
  ];
  return replay(steps, office, '2026-06-01T23:00:00.000Z')[0];
}

test('a reply at the exact instant it is due is in time, and one after hours is not', (t) => {
  t.is(responseOf('10:00', '11:00')?.breached_at, null);
  t.is(responseOf('10:00', '11:01')?.breached_at, '2026-06-01T11:00:00.000Z');
  // No working time passes between the two, but the day has ended.
  t.is(responseOf('16:00', '17:00')?.breached_at, null);
  t.is(responseOf('16:00', '18:00')?.breached_at, '2026-06-01T17:00:00.000Z');
});
