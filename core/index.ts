// The public API for plugin authors, grouped by subject. Less common exports live in each folder's index.ts, and
// system.ts holds what only the built-in administration modules use. docs/api.md is generated from this file: the
// comment above each block becomes a heading.

// The plugin: one object that declares everything it adds, and the state it keeps outside its tables.
export { definePlugin } from './plugin/plugin.ts';
export type { App } from './plugin/app.ts';
export { setting } from './plugin/setting/settings.ts';
export { changeSetting } from './plugin/setting/change-setting.ts';
export { dropdown, readDropdown } from './plugin/declaration/dropdown.ts';
export { perApp } from './plugin/per-app.ts';

// Context: the caller, the time and the database. It is the first parameter of every function.
export { today, type Context } from './plugin/context.ts';

// Surfaces: routes, permissions, paging and access rules of the three APIs and the pages.
export { admin, administrators, anyCredential, type Admin } from './surfaces/admin.ts';
export { crm, type CrmCaller, type CrmKey } from './surfaces/crm.ts';
export { helpdesk, itAdmin, manager, signedIn, ticketCreator } from './surfaces/helpdesk.ts';
export type { Employee as EmployeeActor } from './surfaces/helpdesk.ts';
export { pages } from './surfaces/pages.ts';
export { anyone, type Access } from './plugin/route/surface.ts';

// Answers: the status and envelope set by a route's `returns`.
export { added, all, created, file, flat, item, list, nothing, page } from './plugin/route/returns.ts';

// Pages: what a plugin adds to the staff console and to the customer portal.
export { consolePart, portalPart, type ConsoleSheet } from './web/pages.ts';

// Input: body fields and query parameters.
export { input } from '@keelson/kit/input.ts';
export { param } from '@keelson/kit/param.ts';
// zod: schemas built with another copy of zod are not recognised.
export { z } from 'zod';

// Problems: errors that map to the surface's error response.
export {
  conflict,
  duplicate,
  forbidden,
  inUse,
  invalid,
  notFound,
  Problem,
  unlessFound,
} from '@keelson/kit/problem.ts';

// Tables: columns, keys, relations and migrations.
export { table, type Row, type Table } from '@keelson/database/schema/table.ts';
export { big, choice, day, flag, id, int, json, key, ref, text, when } from '@keelson/database/schema/table.ts';
export { toMany, toOne } from '@keelson/database/schema/relation.ts';
export { fromTypeorm, migration } from '@keelson/database/migration/migrate.ts';

// Rows and SQL: `ctx.db`, the operators of its conditions, and raw statements.
export { DuplicateKey } from '@keelson/database/db.ts';
// TypeORM's operator for conditions: `{ created_at: LessThan(ctx.now) }`.
export { Between, In, IsNull, LessThan, LessThanOrEqual, MoreThan, MoreThanOrEqual, Not } from 'typeorm';
export { listed, sql, type Sql } from '@keelson/database/statement/sql.ts';
export { dependent } from './plugin/declaration/dependents.ts';

// Attachments: files attached to a record, on both surfaces.
export { attachments } from './attachments/attachments.ts';

// Records and views: nouns, the side effects of their writes, and the fields each surface exposes.
export { record, type Given, type Wanted } from './record/record.ts';
export { noun } from './record/noun.ts';
export { restrict, view, type OutOf, type View } from './record/view.ts';
export { liveRecord } from './plugin/declaration/live-record.ts';
export { announceChange } from './plugin/change-feed.ts';
export { change, changeAll, create, remove } from './record/write.ts';
export { findOr404, findVisible, lock, lockAll, pageOf } from './record/read.ts';
export { nounRoutes } from './record/noun-routes.ts';
export { eventData, eventDataFor, show, showOne } from './record/show.ts';

// Lists and search: pages of rows that stay fast at any size.
export { by, is } from '@keelson/list/list.ts';
export { defineNames } from '@keelson/list/name-cache.ts';
export { searchable } from './search/searchable.ts';
export { searched } from './search/finding/search-filter.ts';
export { normalised } from '@keelson/kit/normal.ts';

// Counters: totals whose cost does not grow with the number of rows.
export { count, counted, counterTable, statistic } from '@keelson/list/counter/counter.ts';

// Events, subscribers and jobs: work that runs after the transaction or on a schedule.
export { event, job, subscriber, type EventRecord } from './plugin/declaration/declare.ts';
export type { Occurrence } from '@keelson/events/event.ts';

// Caches: short-lived reads, invalidated when a table changes.
export { cache } from '@keelson/database/cache.ts';
export { invalidateOnChange } from './plugin/cache-invalidation.ts';

// Mail: queued in the transaction, sent after commit.
export { mailTemplate } from '@keelson/mail/mail-template.ts';
export { sendMail } from '@keelson/mail/mail.ts';

// Reports: the sources a plugin offers for reports.
export { reportSource } from './record/report/report-source.ts';

// Time, money and text.
export { addDays, dayOf, plus, secondsBetween, toDatabase, type Day, type Timestamp } from '@keelson/kit/time.ts';
export { fromMinor, toMinor } from '@keelson/kit/money.ts';
export { secret } from '@keelson/kit/random.ts';
