// The thirteen events of the CRM document, with exactly the data of EV-15 and EV-16: new columns do not appear in them.
import { event, z } from '@keelson/core';
import { CrmActivity } from './activities/entities.ts';
import { CrmContact } from './contacts/entities.ts';
import { Lead } from './leads/entities.ts';
import { Opportunity } from './opportunities/entities.ts';
import { Prospect } from './prospects/entities.ts';

const webhook = { webhook: 'crm' } as const;
const lead = Lead.shape.pick({ lead_id: true, email: true, source: true });
const links = Lead.shape.pick({ contact_id: true, prospect_id: true, opportunity_id: true }).shape;
const leadChange = { ...Lead.shape.pick({ status: true }).shape, changes: z.array(z.string()) };
const opportunity = Opportunity.shape
  .pick({ opportunity_id: true, name: true, prospect_id: true, stage: true, status: true })
  .extend({ value: z.number() });
const contact = CrmContact.shape.pick({ contact_id: true, email: true, prospect_id: true });
const prospect = Prospect.shape.pick({ prospect_id: true, name: true, status: true });
const activity = CrmActivity.shape
  .pick({ activity_id: true, type: true, subject: true, entity_type: true, entity_id: true })
  .extend({ completed_at: z.iso.datetime() });

export const LeadCreated = event('lead.created', lead, webhook);
export const LeadUpdated = event('lead.updated', lead.extend(leadChange), webhook);
export const LeadConverted = event('lead.converted', lead.extend(links), webhook);
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
export const ActivityCompleted = event('activity.completed', activity, webhook);

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
