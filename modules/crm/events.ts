// The thirteen events of the CRM document with exactly the data of EV-15 and EV-16.
import { event, z } from '@keelson/core';
import { activityTypes } from './activities/entities.ts';
import { entityTypes } from './entity-types.ts';
import { leadStatuses } from './leads/entities.ts';
import { opportunityStatuses } from './opportunities/entities.ts';
import { prospectStatuses } from './prospects/entities.ts';

const webhook = { webhook: 'crm' } as const;
const lead = z.object({ lead_id: z.int(), email: z.string(), source: z.string() });
const opportunity = z.object({
  opportunity_id: z.int(),
  name: z.string(),
  prospect_id: z.int().nullable(),
  stage: z.string(),
  value: z.number(),
  status: z.enum(opportunityStatuses),
});
const contact = z.object({ contact_id: z.int(), email: z.string(), prospect_id: z.int().nullable() });
const prospect = z.object({ prospect_id: z.int(), name: z.string(), status: z.enum(prospectStatuses) });

export const LeadCreated = event('lead.created', lead, webhook);
export const LeadUpdated = event(
  'lead.updated',
  lead.extend({ status: z.enum(leadStatuses), changes: z.array(z.string()) }),
  webhook,
);
export const LeadConverted = event(
  'lead.converted',
  lead.extend({
    contact_id: z.int().nullable(),
    prospect_id: z.int().nullable(),
    opportunity_id: z.int().nullable(),
  }),
  webhook,
);
export const LeadDeleted = event('lead.deleted', lead, webhook);
export const OpportunityCreated = event('opportunity.created', opportunity, webhook);
export const OpportunityStageChanged = event(
  'opportunity.stage_changed',
  opportunity.extend({ previous_stage: z.string() }),
  webhook,
);
export const OpportunityWon = event('opportunity.won', opportunity, webhook);
export const OpportunityLost = event('opportunity.lost', opportunity, webhook);
export const ContactCreated = event('contact.created', contact, webhook);
export const ContactUpdated = event('contact.updated', contact, webhook);
export const ProspectCreated = event('prospect.created', prospect, webhook);
export const ProspectConverted = event('prospect.converted', prospect.extend({ company_number: z.int() }), webhook);
export const ActivityCompleted = event(
  'activity.completed',
  z.object({
    activity_id: z.int(),
    type: z.enum(activityTypes),
    subject: z.string(),
    entity_type: z.enum(entityTypes),
    entity_id: z.int(),
    completed_at: z.iso.datetime(),
  }),
  webhook,
);

export default [
  LeadCreated,
  LeadUpdated,
  LeadConverted,
  LeadDeleted,
  OpportunityCreated,
  OpportunityStageChanged,
  OpportunityWon,
  OpportunityLost,
  ContactCreated,
  ContactUpdated,
  ProspectCreated,
  ProspectConverted,
  ActivityCompleted,
];
