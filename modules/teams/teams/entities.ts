import { choice, day, flag, id, int, key, ref, table, text, when, type Row } from '@keelson/core';
import { LevelCalendar } from '@keelson/modules/levels';

/** How a team's tickets are assigned to its members. */
export const assignmentRules = ['off', 'round_robin', 'least_loaded', 'skill', 'sticky'] as const;
export type AssignmentRule = (typeof assignmentRules)[number];

export const channels = ['slack', 'teams'] as const;
export type Channel = (typeof channels)[number];

/** A team of technicians that tickets can be assigned to. */
export const Team = table(
  'team',
  {
    team_id: id(),
    name: text(255),
    name_key: key().nullable().unique().hidden(),
    /** Its business hours; null for around the clock. */
    calendar_id: ref(LevelCalendar).nullable(),
    assignment: choice(...assignmentRules).default('off'),
    /** The date of the on-call rota's first handover; null without a rota. */
    rota_from: day().nullable(),
    /** Local time of the weekly handover: `09:00`. */
    handover_time: text(5).default('09:00'),
    /** What starts the escalation chain: SLA warnings, SLA breaches, or tickets of at least this priority. */
    escalate_warned: flag().default(false),
    escalate_breached: flag().default(false),
    escalate_priority: int().nullable(),
    /** Whether steps due outside business hours wait for the next business hours. */
    quiet_hours: flag().default(false),
    /** The channel that steps are posted to, and the sealed URL of its incoming webhook. */
    channel: choice(...channels).default('slack'),
    channel_url: text(4096).nullable().hidden(),
    /** Counts assignments by rule; a member stores the value of their last one. */
    turn: int().default(0).hidden(),
    created_at: when(),
    updated_at: when(),
    deleted_at: when().nullable().hidden(),
  },
  [
    ['name', 'team_id', 'deleted_at'],
    ['calendar_id', 'team_id'],
  ],
);
export type Team = Row<typeof Team>;
