import { admin } from '@keelson/core';

export const ReadTeams = admin.permission('teams:read', 'View teams, their members and absences');
export const WriteTeams = admin.permission('teams:write', 'Manage teams, their members and absences');
