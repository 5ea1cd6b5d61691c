import { defineNames } from '@keelson/core';
import { LevelCalendar } from './calendars/entities.ts';
import { LevelPolicy } from './policies/entities.ts';

export const CalendarNames = defineNames(LevelCalendar, ['name'], (row) => row.name);
export const PolicyNames = defineNames(LevelPolicy, ['name'], (row) => row.name);
