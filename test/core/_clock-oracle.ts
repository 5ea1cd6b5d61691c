// The clocks of a ticket, computed by a state machine that steps through every minute.
import type { Kind, LevelClock } from '../../modules/levels/clocks/entities.ts';
import type { Plan, Step } from '../../modules/levels/clocks/replay.ts';
import { isOpen, MINUTE, type Minute } from './_minutes.ts';

export type State = Omit<Step, 'at'>;

interface Expected {
  readonly kind: Kind;
  readonly started: number;
  consumed: number;
  running: boolean;
  met: number | null;
  breached: number | null;
  due: number | null;
}

/** When outages began, and how long they lasted, in minutes. */
export type Outages = readonly (readonly [from: number, length: number | null])[];

/** What is compared of a clock. */
type Comparable = Pick<LevelClock, 'kind' | 'started_at' | 'met_at' | 'breached_at' | 'due_at'>;

export interface History {
  /** The local time of each minute, from `start`. */
  readonly minutes: readonly Minute[];
  readonly start: number;
  readonly steps: readonly (readonly [minute: number, state: State])[];
  readonly plan: Plan;
  readonly outages: Outages;
  /** The minute as of which the clocks are computed. */
  readonly now: number;
}

/** Returns the clocks that a ticket must have, for `inOrder` of those it has. */
export function expectedClocks(history: History): Comparable[] {
  const at = (minute: number | null) =>
    minute === null ? null : new Date(history.start + minute * MINUTE).toISOString();
  const clocks = simulate(history).map(({ kind, started, met, breached, due }) => ({
    kind,
    started_at: at(started) ?? '',
    met_at: at(met),
    breached_at: at(breached),
    due_at: at(met === null || breached !== null ? due : null),
  }));
  return inOrder(clocks, history);
}

/** Returns what is compared of clocks. Targets due after the simulated minutes are left out. */
export function inOrder(clocks: readonly Comparable[], { minutes, start }: History): Comparable[] {
  const last = new Date(start + (minutes.length - 1) * MINUTE).toISOString();
  const order = (each: Comparable) => `${each.kind} ${each.started_at}`;
  return clocks
    .map(({ kind, started_at, met_at, breached_at, due_at }) => ({
      kind,
      started_at,
      met_at,
      breached_at,
      due_at: due_at !== null && due_at > last ? null : due_at,
    }))
    .toSorted((a, b) => (order(a) < order(b) ? -1 : 1));
}

/** Steps through the minutes until `now`, then continues with the last state until the running clocks are due. */
function simulate({ minutes, steps, plan, now, outages }: History): Expected[] {
  const { hours, minutes: targets, pauses } = plan;
  const clocks: Expected[] = [];
  const begin = (kind: Kind, started: number) =>
    clocks.push({ kind, started, consumed: 0, running: false, met: null, breached: null, due: null });
  const live = (kind: Kind) => clocks.findLast((each) => each.kind === kind && each.met === null);
  let current: State | undefined;
  let answered = false;
  for (let m = 0; m < minutes.length; m++) {
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
