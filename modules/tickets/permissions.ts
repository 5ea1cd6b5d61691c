import { admin } from '@keelson/core';

export const ReadTickets = admin.permission('tickets:read', 'View tickets, comments and time entries');
export const WriteTickets = admin.permission(
  'tickets:write',
  'Create and update tickets, add comments and time entries',
);
export const DeleteTickets = admin.permission('tickets:delete', 'Delete tickets');
