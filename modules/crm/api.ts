export { createActivity, updateActivity, type NewActivity } from './activities/activities.ts';
export { CrmActivity, type ActivityType } from './activities/entities.ts';
export { createContact, type GivenContact } from './contacts/contacts.ts';
export { CrmContact } from './contacts/entities.ts';
export { createCustomField, type NewCustomField } from './custom-fields/custom-fields.ts';
export { convertLead, type Conversion } from './leads/convert-lead.ts';
export { Lead, type LeadStatus } from './leads/entities.ts';
export { createLead, updateLead, type LeadUpdate, type NewLead } from './leads/leads.ts';
export { createNote, type NewNote } from './notes/notes.ts';
export { Opportunity, type OpportunityStatus } from './opportunities/entities.ts';
export {
  createOpportunity,
  Opportunities,
  updateOpportunity,
  type NewOpportunity,
} from './opportunities/opportunities.ts';
export { convertProspect } from './prospects/convert-prospect.ts';
export { Prospect, type ProspectStatus } from './prospects/entities.ts';
export { createProspect, Prospects, updateProspect, type GivenProspect } from './prospects/prospects.ts';
