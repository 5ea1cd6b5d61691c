import { defineNames } from '@keelson/core';
import { KbCategory } from './entities.ts';

export const CategoryNames = defineNames(KbCategory, ['name'], (row) => row.name);
