import { defineNames } from '@keelson/core';
import { RecurringTicket } from './recurring/entities.ts';
import { TicketTemplate } from './templates/entities.ts';

export const TemplateNames = defineNames(TicketTemplate, ['name'], (row) => row.name);
export const RecurringNames = defineNames(RecurringTicket, ['name'], (row) => row.name);
