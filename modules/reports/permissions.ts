import { admin } from '@keelson/core';

export const ReadReports = admin.permission('reports:read', 'View and run reports, metrics and dashboards');
export const WriteReports = admin.permission('reports:write', 'Create, update and delete report definitions');
