export { addItems } from './checklists/checklist.ts';
export { TicketChecklistItem } from './checklists/entities.ts';
export { createTemplate } from './templates/templates.ts';
export { TicketTemplate } from './templates/entities.ts';
