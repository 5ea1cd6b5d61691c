import { defineNames } from '@keelson/core';
import { OutageService } from './entities.ts';

export const ServiceNames = defineNames(OutageService, ['name'], (row) => row.name);
