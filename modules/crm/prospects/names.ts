import { defineNames } from '@keelson/core';
import { Prospect } from './entities.ts';

export const ProspectNames = defineNames(Prospect, ['name'], (row) => row.name);
