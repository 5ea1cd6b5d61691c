// What the author of a plugin needs, by subject; what fewer need is in the index.ts of a folder. docs/api.md is made from it: the comment above each block is a heading
// there. What only the product's own administration needs is in system.ts.

// The plugin: the one object that says everything it adds, and what it keeps beside its tables.
export { definePlugin } from './plugin/plugin.ts';
export type { App } from './plugin/app.ts';
export { setting } from './plugin/settings.ts';
export { dropdown, readDropdown } from './plugin/dropdown.ts';
export { perApp } from './plugin/per-app.ts';

// Context: who is asking, when, and the database. The first parameter of every function.
export { today, type Context } from './plugin/context.ts';

// Surfaces: routes, permissions and paging of the three interfaces and the pages, and who may call.
export { admin, administrators, anyCredential, type Admin } from './surfaces/admin.ts';
export { crm, type CrmCaller, type CrmKey } from './surfaces/crm.ts';
export { helpdesk, itAdmin, manager, signedIn, ticketCreator } from './surfaces/helpdesk.ts';
export type { Employee as EmployeeActor } from './surfaces/helpdesk.ts';
export { pages } from './surfaces/pages.ts';
export { anyone, type Access } from './plugin/surface.ts';

// Answers: the status and envelope that a route's `returns` fixes.
export { added, all, created, file, flat, item, list, nothing, page } from './plugin/returns.ts';

// Pages: what a plugin adds to the staff console and to the customer portal.
export { consolePart, portalPart, type ConsoleSheet } from './web/pages.ts';

// Input: fields of bodies, and query parameters.
export { input } from './kit/input.ts';
export { param } from './kit/param.ts';
// zod: shapes made with another copy of it are not recognised.
export { z } from 'zod';

// Problems: what is thrown, and becomes the surface's error answer.
export { conflict, duplicate, forbidden, inUse, invalid, notFound, Problem, unlessFound } from './kit/problem.ts';

// Tables: columns, keys, relations and migrations.
export { table, type Row, type Table } from './database/table.ts';
export { big, choice, day, flag, id, int, json, key, ref, text, when } from './database/table.ts';
export { toMany, toOne } from './database/relation.ts';
export { fromTypeorm, migration } from './database/migrate.ts';

// Rows and SQL: `ctx.db`, its comparisons, and statements of one's own.
export { above, atLeast, atMost, below, between, DuplicateKey, not } from './database/db.ts';
export { listed, sql, type Sql } from './database/sql.ts';
export { dependent } from './plugin/dependents.ts';

// Attachments: files of a record, on both surfaces.
export { attachments } from './attachments/attachments.ts';

// Records and views: what a noun is, what follows its writes, and what each surface sees of it.
export { record, type Given, type Wanted } from './record/record.ts';
export { noun } from './record/noun.ts';
export { restrict, view, type OutOf, type View } from './record/view.ts';
export { liveRecord } from './plugin/live-record.ts';
export { announceChange } from './plugin/record-change.ts';
export { change, changeAll, create, remove } from './record/write.ts';
export { findOr404, findVisible, lock, lockAll, pageOf } from './record/read.ts';
export { nounRoutes } from './record/noun-routes.ts';
export { eventData, eventDataFor, show, showOne } from './record/show.ts';

// Lists and search: pages of rows that stay quick at any size.
export { by, is } from './list/list.ts';
export { defineNames } from './list/names.ts';
export { searchable } from './search/searchable.ts';
export { searched } from './search/filter.ts';
export { normalised } from './kit/normal.ts';

// Counters: totals that cost the same however many rows there are.
export { count, counted, counterTable, statistic } from './list/counter.ts';

// Events, subscribers and jobs: what happens after the transaction, and at its hour.
export { event, job, subscriber, type EventRecord } from './plugin/declare.ts';
export type { Occurrence } from './events/event.ts';

// Caches: reads that are kept for a moment, until a table changes.
export { cache } from './database/cache.ts';
export { invalidateOnChange } from './plugin/changed.ts';

// Mail: written into the transaction, sent after it.
export { mailTemplate } from './mail/mail-template.ts';
export { sendMail } from './mail/mail.ts';

// Reports: what a plugin's records can be reported by.
export { reportSource } from './report/source.ts';

// Time, money and text.
export { dayOf, plus, secondsBetween, toDatabase, type Day, type Timestamp } from './kit/time.ts';
export { fromMinor, toMinor } from './kit/money.ts';
export { secret } from './kit/random.ts';
