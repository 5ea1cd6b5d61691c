import { defineNames } from '@keelson/core';
import { Team } from './teams/entities.ts';

export const TeamNames = defineNames(Team, ['name'], (row) => row.name);
