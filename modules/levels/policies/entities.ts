import { flag, id, int, json, key, ref, table, text, when, z, type Row } from '@keelson/core';
import { Company, Site } from '@keelson/modules/directory';
import { Contract } from '@keelson/modules/inventory';
import { priorityLabels } from '@keelson/modules/tickets';
import { LevelCalendar } from '../calendars/entities.ts';

/** Targets for tickets of one priority, in working minutes; null for no target. */
export const Target = z.object({
  priority: z.int().meta({ 'x-labels': priorityLabels }),
  response_minutes: z.int().nullable(),
  next_response_minutes: z.int().nullable(),
  resolution_minutes: z.int().nullable(),
});
export type Target = z.infer<typeof Target>;

/** Warns when this percentage of a target has passed. */
export const Warning = z.object({ percent: z.int() });

/** A service level policy: which tickets it covers, and how quickly they must be answered and resolved. */
export const LevelPolicy = table(
  'level_policy',
  {
    policy_id: id(),
    name: text(255),
    name_key: key().nullable().unique().hidden(),
    /** Null for the default calendar. */
    calendar_id: ref(LevelCalendar).nullable(),
    /** Inactive policies cover no new tickets. */
    active: flag().default(true),
    /** When to replan open tickets after a change to this policy or its calendar. */
    replan_at: when().nullable().hidden(),
    /** The covering policy with the lowest position applies. */
    position: int().default(100),
    company_number: ref(Company).nullable(),
    /** Empty for all categories. */
    job_type: text(255).default(''),
    /** The type of one of the ticket's assets; empty for all tickets. */
    asset_type: text(100).default(''),
    contract_id: ref(Contract).nullable(),
    site_number: ref(Site).nullable(),
    team_id: int().nullable(),
    targets: json(z.array(Target)),
    warnings: json(z.array(Warning)),
    /** States that pause the clock. */
    pause_on_hold: flag().default(true),
    pause_waiting_for_customer: flag().default(true),
    pause_waiting_for_approval: flag().default(true),
    pause_during_outages: flag().default(false),
    /** Whether customers see their tickets' targets in the portal. */
    shown_to_customers: flag().default(false),
    created_at: when(),
    updated_at: when(),
    deleted_at: when().nullable().hidden(),
  },
  [
    ['position', 'policy_id', 'deleted_at'],
    ['company_number', 'position', 'policy_id'],
    ['calendar_id', 'policy_id'],
    ['replan_at', 'policy_id'],
  ],
);
export type LevelPolicy = Row<typeof LevelPolicy>;
