import { choice, flag, id, int, ref, table, when, type Row } from '@keelson/core';
import { Technician } from '@keelson/modules/directory';
import { Ticket } from '@keelson/modules/tickets';
import { Team } from '../teams/entities.ts';

/** Whom a step notifies. */
export const audiences = ['on_call', 'technician', 'team'] as const;

/** A step of a team's escalation chain. */
export const EscalationStep = table(
  'escalation_step',
  {
    step_id: id(),
    team_id: ref(Team),
    /** Minutes since the start of the escalation without acknowledgement. */
    after_minutes: int(),
    notify: choice(...audiences),
    /** The technician to notify, for `technician`. */
    user_id: ref(Technician).nullable(),
    by_mail: flag().default(true),
    /** Whether to send text messages to those with a mobile number. */
    by_sms: flag().default(false),
    /** Whether to post to the team's channel. */
    to_channel: flag().default(false),
    created_at: when(),
  },
  [
    ['after_minutes', 'step_id'],
    ['team_id', 'after_minutes', 'step_id'],
  ],
);
export type EscalationStep = Row<typeof EscalationStep>;

/** Cause of an escalation. */
export const causes = ['sla_warned', 'sla_breached', 'priority', 'workflow'] as const;
export type Cause = (typeof causes)[number];

/** An escalation of a ticket: runs through its team's steps until acknowledged or the ticket is closed. */
export const Escalation = table(
  'escalation',
  {
    escalation_id: id(),
    team_id: ref(Team),
    ticket_id: ref(Ticket),
    cause: choice(...causes),
    /** The ticket id while open; its unique index allows one open escalation per ticket. */
    open_ticket: int().nullable().unique().hidden(),
    started_at: when(),
    /** When the next step is due; null if there is none. */
    next_at: when().nullable(),
    /** The last step that ran: its minutes and id. */
    last_minutes: int().default(-1).hidden(),
    last_step: int().default(0).hidden(),
    /** Whether a step has notified anyone. */
    heard: flag().default(false).hidden(),
    /** How many times the chain ended without notifying anyone. */
    unheard_rounds: int().default(0).hidden(),
    acknowledged_at: when().nullable(),
    acknowledged_by: ref(Technician).nullable(),
    /** When it was acknowledged, or the ticket was closed or moved to another team. */
    ended_at: when().nullable(),
  },
  [
    ['next_at', 'escalation_id'],
    ['started_at', 'escalation_id'],
    ['team_id', 'started_at', 'escalation_id'],
    ['ticket_id', 'started_at', 'escalation_id'],
  ],
);
export type Escalation = Row<typeof Escalation>;
