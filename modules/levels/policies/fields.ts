// Body fields of policies.
import { input, z } from '@keelson/core';
import { priorityField } from '@keelson/modules/tickets';

/** One year in minutes. */
const MOST_MINUTES = 525_600;
const MOST_WARNINGS = 5;

const minutes = input.clearable(input.int(1, MOST_MINUTES));

const target = z.object({
  priority: priorityField,
  response_minutes: minutes,
  next_response_minutes: minutes,
  resolution_minutes: minutes,
});

const targetsField = z
  .array(target)
  .min(1, 'must contain the targets of at least one priority')
  .superRefine((targets, issues) => {
    for (const [at, { priority }] of targets.entries())
      if (targets.findIndex((each) => each.priority === priority) < at)
        issues.addIssue({ code: 'custom', path: [at, 'priority'], message: 'must be a priority without targets yet' });
  })
  .transform((targets) =>
    targets
      .map(({ priority, response_minutes, next_response_minutes, resolution_minutes }) => ({
        priority,
        response_minutes: response_minutes ?? null,
        next_response_minutes: next_response_minutes ?? null,
        resolution_minutes: resolution_minutes ?? null,
      }))
      .toSorted((a, b) => a.priority - b.priority),
  );

const warningsField = z
  .array(z.object({ percent: input.int(1, 99) }))
  .max(MOST_WARNINGS, `must contain at most ${MOST_WARNINGS} warnings`)
  .transform((warnings) => {
    const shares = new Set(warnings.map(({ percent }) => percent));
    return [...shares].toSorted((a, b) => a - b).map((percent) => ({ percent }));
  });

export const policyFields = {
  name: input.text(255, { compared: true }),
  calendar_id: input.clearable(input.id()),
  company_number: input.clearable(input.id()),
  job_type: input.optionalText(255).meta({ 'x-dropdown': 'job_types' }),
  asset_type: input.optionalText(100).meta({ 'x-dropdown': 'asset_types' }),
  contract_id: input.clearable(input.id()),
  site_number: input.clearable(input.id()),
  team_id: input.clearable(input.id()),
  position: input.optional(input.int(1, 10_000)),
  targets: targetsField,
  warnings: input.optional(warningsField),
  pause_on_hold: input.optional(input.flag()),
  pause_waiting_for_customer: input.optional(input.flag()),
  pause_waiting_for_approval: input.optional(input.flag()),
  pause_during_outages: input.optional(input.flag()),
  shown_to_customers: input.optional(input.flag()),
  active: input.optional(input.flag()),
};
