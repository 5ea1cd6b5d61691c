// Body fields of teams.
import { input, z } from '@keelson/core';
import { priorityField, priorityLabels } from '@keelson/modules/tickets';
import { assignmentRules, channels } from './entities.ts';

/** Labels for fields whose name is not clear enough. */
export const titles = {
  rota_from: 'Rota starts on',
  escalate_warned: 'Escalate SLA warnings',
  escalate_breached: 'Escalate SLA breaches',
  escalate_priority: 'Escalate from priority',
} as const;

const timeField = z
  .string()
  .overwrite((text) => text.trim())
  .refine((text) => /^(?:[01]\d|2[0-3]):[0-5]\d$/.test(text), 'must be a time (HH:MM)')
  .meta({ maxLength: 5 });

export const teamFields = {
  name: input.text(255, { compared: true }),
  calendar_id: input.clearable(input.id()),
  assignment: input.optional(input.choice(assignmentRules)),
  rota_from: input.clearable(input.day()).meta({ title: titles.rota_from }),
  handover_time: input.optional(timeField),
  escalate_warned: input.optional(input.flag()).meta({ title: titles.escalate_warned }),
  escalate_breached: input.optional(input.flag()).meta({ title: titles.escalate_breached }),
  escalate_priority: input
    .clearable(priorityField)
    .meta({ title: titles.escalate_priority, 'x-labels': priorityLabels }),
  quiet_hours: input.optional(input.flag()),
  channel: input.optional(input.choice(channels)),
  channel_url: input.clearable(input.url()).meta({ title: 'Webhook URL of the channel' }),
};
