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
    /** Minutes without acknowledgement, from the start of the escalation. */
    after_minutes: int(),
    notify: choice(...audiences),
    /** With `technician`: who. */
    user_id: ref(Technician).nullable(),
    by_mail: flag().default(true),
    /** Also by text message, to those who have a number. */
    by_sms: flag().default(false),
    /** Also posts to the team's channel. */
    to_channel: flag().default(false),
    created_at: when(),
  },
  [
    ['after_minutes', 'step_id'],
    ['team_id', 'after_minutes', 'step_id'],
  ],
);
export type EscalationStep = Row<typeof EscalationStep>;

/** Why a ticket escalates. */
export const causes = ['sla_warned', 'sla_breached', 'priority', 'workflow'] as const;
export type Cause = (typeof causes)[number];

/** A ticket that runs through the steps of its team until somebody acknowledges it, or it is closed. */
export const Escalation = table(
  'escalation',
  {
    escalation_id: id(),
    team_id: ref(Team),
    ticket_id: ref(Ticket),
    cause: choice(...causes),
    /** The ticket while it is open; its unique index allows one open escalation per ticket. */
    open_ticket: int().nullable().unique().hidden(),
    started_at: when(),
    /** When the next step is due; null without one. */
    next_at: when().nullable(),
    /** The last step that ran: its minutes and its id. */
    last_minutes: int().default(-1).hidden(),
    last_step: int().default(0).hidden(),
    /** Whether a step has notified anybody. */
    heard: flag().default(false).hidden(),
    /** How often the chain has ended without notifying anybody. */
    unheard_rounds: int().default(0).hidden(),
    acknowledged_at: when().nullable(),
    acknowledged_by: ref(Technician).nullable(),
    /** When it was acknowledged, or its ticket was closed or left the team. */
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
