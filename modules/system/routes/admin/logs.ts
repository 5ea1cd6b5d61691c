import { admin, administrators, input, item, list, pageOf, type Access, type Admin } from '@keelson/core';
import type { Permission } from '@keelson/core/plugin';
import { changeRetention, readRetention, Retained } from '../../installation/retention.ts';
import { ActivityEntry, ErrorEntry, listActivity, requireOperator } from '../../logs.ts';
import { ReadSettings, WriteSettings } from '../../permissions.ts';

/** Access rules cannot read the configuration; `requireOperator` checks for the operator's tenant. */
const operators: Permission<Admin> & Access<Admin> = Object.freeze({
  ...administrators(ReadSettings),
  title: 'settings:read, operator tenant (session: administrator)',
});

export default [
  admin.get('/admin/activity-log.php', {
    title: 'List the activity log',
    access: administrators(ReadSettings),
    freeAction: true,
    query: admin.paging(ActivityEntry.query),
    returns: list(ActivityEntry),
    handle: (ctx, { query }) => listActivity(ctx, query),
  }),
  admin.get('/admin/error-log.php', {
    title: 'List the error log',
    access: operators,
    query: admin.paging(ErrorEntry.query),
    returns: list(ErrorEntry),
    load: async (ctx) => requireOperator(ctx),
    handle: (ctx, { query }) => pageOf(ctx, ErrorEntry, query),
  }),
  admin.get('/settings/retention.php', {
    title: 'Read log retention',
    addition: true,
    access: ReadSettings,
    returns: item(Retained),
    handle: (ctx) => readRetention(ctx),
  }),
  admin.put('/settings/retention.php', {
    title: 'Update log retention',
    addition: true,
    access: administrators(WriteSettings),
    body: input.changes({
      activity_days: input.int(30, 3650),
      error_days: input.int(1, 365),
      import_days: input.int(1, 3650),
    }),
    returns: item(Retained),
    handle: (ctx, { body }) => changeRetention(ctx, body),
  }),
];
