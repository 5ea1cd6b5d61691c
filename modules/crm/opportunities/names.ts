import { defineNames } from '@keelson/core';
import { Opportunity } from './entities.ts';

export const OpportunityNames = defineNames(Opportunity, ['name'], (row) => row.name);
