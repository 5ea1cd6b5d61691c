export { createActivity, updateActivity, type NewActivity } from './activities/activities.ts';
export { createContact, type GivenContact } from './contacts/contacts.ts';
export { convertLead, type Conversion } from './leads/convert-lead.ts';
export { convertProspect } from './prospects/convert-prospect.ts';
export { createCustomField, type NewCustomField } from './custom-fields/custom-fields.ts';
export { CrmActivity, type ActivityType } from './activities/entities.ts';
export { CrmContact } from './contacts/entities.ts';
export { Lead, LeadCount, type LeadStatus } from './leads/entities.ts';
export { Opportunity, OpportunityCount, OpportunityValue, type OpportunityStatus } from './opportunities/entities.ts';
export { Prospect, type ProspectStatus } from './prospects/entities.ts';
export { createLead, updateLead, type LeadUpdate, type NewLead } from './leads/leads.ts';
export { createNote, type NewNote } from './notes/notes.ts';
export {
  createOpportunity,
  lockOpportunity,
  updateOpportunity,
  type NewOpportunity,
} from './opportunities/opportunities.ts';
export { createProspect, lockProspect, updateProspect, type GivenProspect } from './prospects/prospects.ts';
