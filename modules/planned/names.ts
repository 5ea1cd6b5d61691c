import { defineNames } from '@keelson/core';
import { TicketTemplate } from './templates/entities.ts';

export const TemplateNames = defineNames(TicketTemplate, ['name'], (row) => row.name);
