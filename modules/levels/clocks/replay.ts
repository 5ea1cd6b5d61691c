// Computes a ticket's clocks from what happened to it. Pure: the same steps and plan always give the same clocks, so
// after a change of priority or calendar the ticket is planned as if it had always been that way.
import type { Timestamp } from '@keelson/core';
import { afterWorkingTime, workingTime, type WorkingHours } from '../working-time.ts';
import type { Kind, LevelClock, LevelStep } from './entities.ts';

export type Step = Omit<LevelStep, 'ticket_id' | 'step'>;

/** The targets of a policy for tickets of one priority. */
export interface Plan {
  readonly hours: WorkingHours;
  readonly minutes: Readonly<Record<Kind, number | null>>;
  /** Outages that affect the ticket's company; they pause all clocks. */
  readonly outages: readonly OutageSpan[];
  readonly pauses: { readonly on_hold: boolean; readonly customer: boolean; readonly approval: boolean };
  /** Percentages of a target at which to warn. */
  readonly warnings: readonly number[];
}

/** When an outage started and ended; `to` is null while it lasts. */
export interface OutageSpan {
  readonly from: Timestamp;
  readonly to: Timestamp | null;
}

/** A computed clock. */
export type Clock = Omit<
  LevelClock,
  'ticket_id' | 'policy_id' | 'company_number' | 'team_id' | 'started_on' | 'warned' | 'announced'
> & {
  /** The highest warning threshold reached so far. */
  readonly reached: number;
  /** When the next threshold, or the target, will be reached. */
  readonly next_at: Timestamp | null;
};

/** Computes the clocks as of `now`, which must not be before the last step. */
export function replay(given: readonly Step[], plan: Plan, now: Timestamp): Clock[] {
  const steps = withOutages(given, plan.outages, now);
  return [response(steps), resolution(steps), ...nextResponses(steps)].flatMap((course) => {
    const target = course && plan.minutes[course.kind];
    return course && target ? clockOf(course, target, plan, now) : [];
  });
}

interface TimedStep extends Step {
  /** Whether an outage pauses the clocks. */
  readonly outage: boolean;
}

/** Adds a step for the start and end of each outage, and marks the steps within one. */
function withOutages(steps: readonly Step[], outages: readonly OutageSpan[], now: Timestamp): TimedStep[] {
  const isWithin = (at: Timestamp) => outages.some(({ from, to }) => from <= at && (to === null || at < to));
  const [first] = steps;
  if (!first) return [];
  const known = new Set(steps.map(({ at }) => at));
  const turns = new Set(outages.flatMap(({ from, to }) => (to === null ? [from] : [from, to])));
  const added = [...turns].filter((at) => at > first.at && at <= now && !known.has(at)).toSorted();
  const timed: TimedStep[] = [];
  let next = 0;
  const addUntil = (before: Timestamp | undefined) => {
    for (; next < added.length; next++) {
      const at = added[next] ?? '';
      const last = timed.at(-1);
      if (!last || (before !== undefined && at >= before)) return;
      timed.push({ ...last, at, replied: false, outage: isWithin(at) });
    }
  };
  for (const step of steps) {
    addUntil(step.at);
    timed.push({ ...step, outage: isWithin(step.at) });
  }
  addUntil(undefined);
  return timed;
}

/** The steps during which a clock exists, running or paused. */
interface Course {
  readonly kind: Kind;
  readonly round: number;
  readonly steps: readonly TimedStep[];
  /** When the clock ended; null while it continues. */
  readonly met_at: Timestamp | null;
}

const isOver = (step: TimedStep): boolean => step.replied || step.status === 'closed';

/** From creation to the first public reply or closing. */
function response(steps: readonly TimedStep[]): Course | undefined {
  return until(steps, 0, isOver, { kind: 'response', round: 0 });
}

/** From each time the customer starts waiting again to the reply or closing. */
function nextResponses(steps: readonly TimedStep[]): Course[] {
  const courses: Course[] = [];
  let i = steps.findIndex(isOver);
  while (i >= 0 && i < steps.length) {
    const start = steps.findIndex((each, at) => at >= i && each.waiting && each.status !== 'closed');
    if (start < 0) break;
    const course = until(steps, start, (each) => !each.waiting || each.status === 'closed', {
      kind: 'next_response',
      round: courses.length + 1,
    });
    courses.push(course);
    i = course.met_at === null ? steps.length : start + course.steps.length;
  }
  return courses;
}

/** From creation to closing. A reopened ticket continues from where it stopped. */
function resolution(steps: readonly TimedStep[]): Course {
  const open = steps.findLastIndex((each) => each.status !== 'closed');
  const met_at = steps[open + 1]?.at ?? null;
  return { kind: 'resolution', round: 0, steps, met_at };
}

function until(
  steps: readonly TimedStep[],
  start: number,
  ends: (step: TimedStep) => boolean,
  which: Pick<Course, 'kind' | 'round'>,
): Course {
  const end = steps.findIndex((each, at) => at >= start && ends(each));
  return { ...which, steps: steps.slice(start, end < 0 ? undefined : end), met_at: steps[end]?.at ?? null };
}

/**
 * A ticket that is pending approval cannot be worked on, and an outage is handled for all its tickets at once, so these
 * pause every clock. The other states pause only resolution.
 */
function isPaused({ kind }: Course, step: TimedStep, { pauses }: Plan): boolean {
  const { status, pending, last_comment_by, outage } = step;
  if (outage) return true;
  if (pauses.approval && pending) return true;
  if (kind !== 'resolution') return false;
  if (status === 'closed' || (pauses.on_hold && status === 'on_hold')) return true;
  return pauses.customer && last_comment_by === 'technician';
}

function clockOf(course: Course, target_minutes: number, plan: Plan, now: Timestamp): Clock {
  const { kind, round, steps, met_at } = course;
  const target = target_minutes * 60_000;
  const started_at = steps[0]?.at ?? met_at ?? now;
  let consumed = 0;
  let running: Timestamp | null = null;
  let paused_since: Timestamp | null = null;
  let breached_at: Timestamp | null = null;
  const stopAt = (at: Timestamp): void => {
    if (running === null) return;
    const due = breached_at === null ? afterWorkingTime(plan.hours, running, target - consumed) : undefined;
    // A clock that stops exactly when it is due was in time (SL-06).
    if (due !== undefined && due < at) breached_at = due;
    consumed += workingTime(plan.hours, running, at);
    running = null;
  };
  for (const step of steps) {
    if (!isPaused(course, step, plan)) {
      running ??= step.at;
      paused_since = null;
    } else {
      stopAt(step.at);
      paused_since ??= step.at;
    }
  }
  const base = { kind, round, started_at, target_minutes };
  if (met_at !== null) {
    stopAt(met_at);
    const ended = { consumed_ms: consumed, paused_since: null, due_at: breached_at, breached_at, met_at };
    return { ...base, ...ended, reached: 0, next_at: null };
  }
  const reachedAt = (share: number): Timestamp | undefined =>
    running === null ? undefined : afterWorkingTime(plan.hours, running, Math.ceil((target * share) / 100) - consumed);
  const due = breached_at ?? reachedAt(100) ?? null;
  if (due !== null && due <= now) breached_at = due;
  const total = consumed + (running === null ? 0 : workingTime(plan.hours, running, now));
  const shares = plan.warnings.toSorted((a, b) => a - b);
  const next = shares.find((share) => total < Math.ceil((target * share) / 100));
  return {
    ...base,
    consumed_ms: consumed,
    paused_since,
    due_at: due,
    breached_at,
    met_at,
    reached: shares.findLast((share) => total >= Math.ceil((target * share) / 100)) ?? 0,
    next_at: breached_at === null ? ((next === undefined ? due : reachedAt(next)) ?? null) : null,
  };
}
