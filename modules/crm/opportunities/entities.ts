import { big, choice, counted, day, id, int, ref, table, text, when, type Row } from '@keelson/core';
import { Technician } from '@keelson/modules/directory';
import { CrmContact } from '../contacts/entities.ts';
import { Prospect } from '../prospects/entities.ts';

export const opportunityStatuses = ['open', 'won', 'lost'] as const;
export type OpportunityStatus = (typeof opportunityStatuses)[number];

export const Opportunity = table(
  'opportunity',
  {
    opportunity_id: id(),
    name: text(255),
    prospect_id: ref(Prospect).nullable(),
    contact_id: ref(CrmContact).nullable(),
    /** The lead it was converted from. No foreign key: leads refer to opportunities. */
    lead_id: int().nullable(),
    stage: text(100),
    /** The last open stage, which a reopened opportunity returns to (M-23). */
    open_stage: text(100),
    status: choice(...opportunityStatuses).default('open'),
    /** In minor units (V-08); responses and events show it as `value`. */
    value_minor: big().default(0),
    probability: int(),
    expected_close_date: day().nullable(),
    assigned_to: ref(Technician).nullable(),
    lost_reason: text(255).nullable(),
    closed_at: when().nullable(),
    created_at: when(),
    updated_at: when(),
    deleted_at: when().nullable().hidden(),
  },
  [
    ['created_at', 'opportunity_id', 'deleted_at'],
    ['status', 'created_at', 'opportunity_id', 'deleted_at'],
    ['stage', 'status', 'created_at', 'opportunity_id', 'deleted_at'],
    ['stage', 'created_at', 'opportunity_id', 'deleted_at'],
    ['prospect_id', 'created_at', 'opportunity_id', 'deleted_at'],
    ['assigned_to', 'created_at', 'opportunity_id', 'deleted_at'],
    ['value_minor', 'created_at', 'opportunity_id', 'deleted_at'],
    ['status', 'closed_at', 'value_minor', 'deleted_at'],
    ['contact_id'],
    ['lead_id'],
  ],
);
export type Opportunity = Row<typeof Opportunity>;

const dimensions = ['stage', 'status'] as const;
/** The number and total value of opportunities, for the pipeline. */
export const OpportunityCount = counted({ of: Opportunity, dimensions });
export const OpportunityValue = counted({ of: Opportunity, dimensions, sum: 'value_minor' });
