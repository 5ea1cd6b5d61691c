import { admin } from '@keelson/core';

export const WritePlanned = admin.permission('planned:write', 'Manage ticket templates and recurring tickets');
