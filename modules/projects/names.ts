import { defineNames } from '@keelson/core';
import { Project } from './entities.ts';

export const ProjectNames = defineNames(Project, ['name'], (row) => row.name);
