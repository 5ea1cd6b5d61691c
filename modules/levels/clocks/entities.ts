import { big, choice, day, flag, int, ref, table, when, type Row } from '@keelson/core';
import { Company } from '@keelson/modules/directory';
import { sides, statuses, Ticket } from '@keelson/modules/tickets';
import { LevelPolicy } from '../policies/entities.ts';

export const kinds = ['response', 'next_response', 'resolution'] as const;
export type Kind = (typeof kinds)[number];

/** A ticket with an SLA: its policy, and when the job checks it next. */
export const LevelTicket = table(
  'level_ticket',
  {
    ticket_id: ref(Ticket).primary(),
    /** Null while no policy covers the ticket. */
    policy_id: ref(LevelPolicy).nullable(),
    is_open: flag(),
    /** When the next warning or breach is due. */
    next_at: when().nullable(),
  },
  [
    ['next_at', 'ticket_id'],
    ['policy_id', 'is_open'],
  ],
);
export type LevelTicket = Row<typeof LevelTicket>;

/**
 * Something that happened to a ticket with an SLA, starting with its creation. Clocks are computed from these steps, so
 * any clock can be recomputed.
 */
export const LevelStep = table('level_step', {
  ticket_id: ref(Ticket).primary(),
  step: int().primary(),
  at: when(),
  status: choice(...statuses),
  /** Whether the ticket waits for a manager's approval. */
  pending: flag(),
  /** Whether the customer is waiting for a reply. */
  waiting: flag(),
  last_comment_by: choice(...sides).nullable(),
  /** The provider's first or a later reply. */
  replied: flag(),
});
export type LevelStep = Row<typeof LevelStep>;

/**
 * An SLA clock of a ticket. A ticket has one `next_response` clock for each time its customer waited for another reply.
 */
export const LevelClock = table(
  'level_clock',
  {
    ticket_id: ref(Ticket).primary(),
    kind: choice(...kinds).primary(),
    /** Number of the `next_response` round, from 1; 0 for other clocks. */
    round: int().primary(),
    policy_id: ref(LevelPolicy),
    company_number: ref(Company),
    /** The ticket's team; null if it has none. */
    team_id: int().nullable(),
    started_at: when(),
    /** The day of the start in the tenant's time zone. */
    started_on: day(),
    target_minutes: int(),
    /** Working milliseconds up to the last pause or the end. */
    consumed_ms: big(),
    paused_since: when().nullable(),
    /** When the target is or was reached; null while paused, and once the clock ended in time. */
    due_at: when().nullable(),
    /** The percentage of the target at the last warning. */
    warned: int().default(0),
    breached_at: when().nullable(),
    /** The breach has been announced. */
    announced: flag().default(false),
    met_at: when().nullable(),
  },
  [
    ['met_at', 'due_at', 'ticket_id'],
    ['policy_id', 'started_on'],
    ['company_number', 'started_on'],
    ['started_on', 'policy_id'],
  ],
);
export type LevelClock = Row<typeof LevelClock>;
