export { addItems } from './checklists/checklist.ts';
export { TicketChecklistItem } from './checklists/entities.ts';
export { RecurringOccurrence, RecurringTicket } from './recurring/entities.ts';
export { createRecurring } from './recurring/recurring.ts';
export { createTemplate } from './templates/templates.ts';
export { TicketTemplate } from './templates/entities.ts';
