// Schemas of workflow triggers, conditions and actions in request bodies and rows (F-52).
import { input, z } from '@keelson/core';
import { statuses } from '@keelson/modules/tickets';

const MAX_CONDITIONS = 20;
const MAX_ACTIONS = 20;

/** Trigger (WF-01): an event, an interval in minutes, or manual only. */
export const Trigger = z.discriminatedUnion(
  'type',
  [
    z.object({ type: z.literal('event'), event: input.text(100) }),
    z.object({ type: z.literal('schedule'), every_minutes: input.int(1, 525_600) }),
    z.object({ type: z.literal('manual') }),
  ],
  { error: oneOf('event, schedule, manual') },
);
export type Trigger = z.output<typeof Trigger>;

export const operators = ['eq', 'ne', 'in', 'contains', 'gt', 'lt', 'empty', 'changed'] as const;
export const Condition = z.object({
  field: input.text(100),
  operator: z.enum(operators),
  /** Optional for `empty` and `changed`; false negates them. */
  value: z.unknown().optional(),
});
export type Condition = z.output<typeof Condition>;

/**
 * Recipients by role: ticket requester or assignee, the company's managers and IT admins, or the technician `user_id`.
 */
export const recipients = ['requester', 'assignee', 'company', 'technician'] as const;

/** Actions (WF-03). Texts may contain placeholders: `{{ ticket.subject }}`. */
export const Action = z.discriminatedUnion(
  'type',
  [
    z.object({ type: z.literal('set_status'), status: input.choice(statuses) }),
    z.object({ type: z.literal('set_priority'), priority: input.int(1, 5) }),
    /** The team responsible; its rule assigns a ticket without an assignee. */
    z.object({ type: z.literal('set_team'), team_id: input.id().nullable() }),
    z.object({ type: z.literal('assign'), assigned_to: input.id().nullable() }),
    z.object({
      type: z.literal('add_comment'),
      comment: input.longText(),
      is_internal: input.optional(input.flag()),
    }),
    z.object({
      type: z.literal('create_ticket'),
      subject: input.text(1000),
      description: input.optionalLongText(),
      /** Defaults to the record's company. */
      company_number: input.optional(input.id()),
      priority: input.optional(input.int(1, 5)),
      job_type: input.optionalText(255),
      team_id: input.optional(input.id()),
      assigned_to: input.optional(input.id()),
    }),
    /** A part for the record's ticket, charged to its company. */
    z.object({
      type: z.literal('create_child'),
      subject: input.text(1000),
      description: input.optionalLongText(),
      priority: input.optional(input.int(1, 5)),
      job_type: input.optionalText(255),
      team_id: input.optional(input.id()),
      assigned_to: input.optional(input.id()),
    }),
    z.object({
      type: z.literal('send_email'),
      to: z.union([z.enum(recipients), input.email()], {
        error: () => `must be one of: ${recipients.join(', ')}, or an email address`,
      }),
      /** Only for `technician`. */
      user_id: input.optional(input.id()),
      subject: input.text(1000),
      body: input.longText(),
    }),
    z.object({
      type: z.literal('call_webhook'),
      url: input.url(),
      /** Generated and returned if omitted; sealed in rows. */
      secret: input.optional(input.secret(255)),
    }),
    /** An action that a plugin declares: `warranty.claim`. */
    z.object({
      type: z.literal('plugin_action'),
      name: input.text(100),
      input: input.optional(z.record(z.string().max(100), z.unknown())),
    }),
  ],
  {
    error: oneOf(
      'set_status, set_priority, set_team, assign, add_comment, create_ticket, create_child, send_email, call_webhook, plugin_action',
    ),
  },
);
export type Action = z.output<typeof Action>;

const definition = {
  name: input.text(255),
  description: input.optionalLongText(),
  active: input.flag(),
  trigger: Trigger,
  conditions: z.array(Condition).max(MAX_CONDITIONS),
  actions: z.array(Action).min(1, 'must contain at least one action').max(MAX_ACTIONS),
};
export const newWorkflow = z.object({
  ...definition,
  active: input.optional(definition.active),
  conditions: input.optional(definition.conditions),
});
export const workflowChanges = input.changes(definition);

/** Record to run with; `ticket_id` alone implies a ticket (WF-04). */
const record = {
  entity_type: input.optional(input.text(60)),
  entity_id: input.optional(input.id()),
  ticket_id: input.optional(input.id()),
};
export const manualBody = z.object(record).optional();
/** `changed` names the fields assumed to have changed. */
export const testBody = z.object({ ...record, changed: input.optional(z.array(input.text(100)).max(100)) }).optional();
export interface RecordReference {
  readonly entity_type?: string | undefined;
  readonly entity_id?: number | undefined;
  readonly ticket_id?: number | undefined;
}

/** Lists the valid types for an unknown one; other errors keep their message. */
function oneOf(types: string) {
  return (issue: z.core.$ZodRawIssue) => (issue.code === 'invalid_union' ? `must be one of: ${types}` : undefined);
}
