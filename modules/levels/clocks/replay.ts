// Computes a ticket's clocks from what happened to it. Pure: the same steps and plan always give the same clocks, so a
// change of priority or of the calendar plans a ticket as if it had been so from the beginning.
import type { Timestamp } from '@keelson/core';
import { afterWorkingTime, workingTime, type WorkingHours } from '../working-time.ts';
import type { Kind, LevelClock, LevelStep } from './entities.ts';

export type Step = Omit<LevelStep, 'ticket_id' | 'step'>;

/** The targets of a policy for tickets of one priority. */
export interface Plan {
  readonly hours: WorkingHours;
  readonly minutes: Readonly<Record<Kind, number | null>>;
  readonly pauses: { readonly on_hold: boolean; readonly customer: boolean; readonly approval: boolean };
  /** Shares of a target to warn at, in percent. */
  readonly warnings: readonly number[];
}

/** A computed clock. */
export type Clock = Omit<
  LevelClock,
  'ticket_id' | 'policy_id' | 'company_number' | 'team_id' | 'started_on' | 'warned' | 'announced'
> & {
  /** The highest share to warn at that has been reached. */
  readonly reached: number;
  /** When the next share, or the target, will be reached. */
  readonly next_at: Timestamp | null;
};

/** Computes the clocks as of `now`, which is not before the last step. */
export function replay(steps: readonly Step[], plan: Plan, now: Timestamp): Clock[] {
  return [response(steps), resolution(steps), ...nextResponses(steps)].flatMap((course) => {
    const target = course && plan.minutes[course.kind];
    return course && target ? clockOf(course, target, plan, now) : [];
  });
}

/** The steps during which a clock exists: it runs or is paused. */
interface Course {
  readonly kind: Kind;
  readonly round: number;
  readonly steps: readonly Step[];
  /** When it ended; null while it continues. */
  readonly met_at: Timestamp | null;
}

const isOver = (step: Step): boolean => step.replied || step.status === 'closed';

/** From creation to the first public reply, or closing. */
function response(steps: readonly Step[]): Course | undefined {
  return until(steps, 0, isOver, { kind: 'response', round: 0 });
}

/** From each time the customer waits again to the reply, or closing. */
function nextResponses(steps: readonly Step[]): Course[] {
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

/** From creation to closing. A reopened ticket continues where it stopped. */
function resolution(steps: readonly Step[]): Course {
  const open = steps.findLastIndex((each) => each.status !== 'closed');
  const met_at = steps[open + 1]?.at ?? null;
  return { kind: 'resolution', round: 0, steps, met_at };
}

function until(
  steps: readonly Step[],
  start: number,
  ends: (step: Step) => boolean,
  which: Pick<Course, 'kind' | 'round'>,
): Course {
  const end = steps.findIndex((each, at) => at >= start && ends(each));
  return { ...which, steps: steps.slice(start, end < 0 ? undefined : end), met_at: steps[end]?.at ?? null };
}

/**
 * No one may work on a ticket that is pending approval, so this pauses every clock; the others pause only resolution.
 */
function isPaused({ kind }: Course, { status, pending, last_comment_by }: Step, { pauses }: Plan): boolean {
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
    // A clock that stops at the very instant it is due was in time (SL-06).
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
