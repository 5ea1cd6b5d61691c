// What the author of a plugin needs, by subject. docs/api.md is made from it: the comment above each block is a heading
// there. What only the product's own administration needs is in system.ts.

// The plugin: the one object that says everything it adds, and what it keeps beside its tables.
export { definePlugin, type Plugin } from './plugin/plugin.ts';
export type { App } from './plugin/app.ts';
export { setting } from './plugin/settings.ts';
export { readCurrency, sameCurrency } from './plugin/currency.ts';
export { dropdown, readDropdown } from './plugin/dropdown.ts';
export { command } from './plugin/command.ts';
export { perApp } from './plugin/per-app.ts';
export { answerSource } from './plugin/answer-source.ts';
export { fill, readSlot, slot } from './plugin/slot.ts';

// Context: who is asking, when, and the database. The first parameter of every function.
export { startOfDay, today, type Context } from './plugin/context.ts';
export { changesBetween, theSystem, type Activity, type Author } from './log/activity.ts';

// Surfaces: routes, permissions and paging of the three interfaces and the pages, and who may call.
export { admin, administrators, anyCredential, type Admin } from './surfaces/admin.ts';
export { crm, type CrmKey } from './surfaces/crm.ts';
export { employeeName, helpdesk, itAdmin, manager, signedIn, ticketCreator } from './surfaces/helpdesk.ts';
export type { Employee as EmployeeActor } from './surfaces/helpdesk.ts';
export { pages } from './surfaces/pages.ts';
export { chargeReveal, revealers } from './surfaces/reveal.ts';
export { anyone, type Access, type Permission } from './plugin/surface.ts';

// Answers: the status and envelope that a route's `returns` fixes.
export {
  added,
  all,
  asset,
  created,
  file,
  flat,
  item,
  list,
  nothing,
  page,
  stream,
  type FileAnswer,
} from './plugin/returns.ts';
export type { Page } from './list/list.ts';
export type { Route } from './plugin/route.ts';

// Input: fields of bodies, query parameters, and names that callers choose.
export { input } from './kit/input.ts';
export { param } from './kit/param.ts';
// zod: shapes made with another copy of it are not recognised.
export { z } from 'zod';
export { dictionary, dictionaryOf, type Dictionary } from './kit/dictionary.ts';
export { isForbiddenName } from './http/json.ts';

// Problems: what is thrown, and becomes the surface's error answer.
export { conflict, duplicate, forbidden, inUse, invalid, notFound, Problem } from './kit/problem.ts';
export { tooMany, unavailable } from './kit/problem.ts';

// Tables: columns, keys, relations and migrations.
export { table, type New, type Row, type Table } from './database/table.ts';
export { big, choice, day, flag, id, int, json, key, ref, text, when } from './database/table.ts';
export { toMany, toOne } from './database/relation.ts';
export { fromTypeorm, migration } from './database/migrate.ts';

// Rows and SQL: `ctx.db`, its comparisons, and statements of one's own.
export type { Db, Transaction } from './database/db.ts';
export { above, atLeast, atMost, below, between, DuplicateKey, not } from './database/db.ts';
export { joined, listed, sql, type Sql } from './database/sql.ts';
export { inTime } from './database/sqlite-watch.ts';
export { removeBefore } from './database/prune.ts';
export { dependent, findHolders } from './plugin/dependents.ts';

// Attachments: files of a record, on both surfaces.
export { attachments, type PathIds } from './attachments/attachments.ts';

// Records and views: what a noun is, what follows its writes, and what each surface sees of it.
export { record, type Change, type Given, type Recorded, type Wanted } from './record/record.ts';
export { noun, type Noun } from './record/noun.ts';
export type { MembersOf } from './record/member.ts';
export { restrict, view, type ActorOf, type AskedOf, type OutOf, type View } from './record/view.ts';
export { liveRecord, type LiveRecord } from './plugin/live-record.ts';
export { announceChange, type AnnouncedChange } from './plugin/record-change.ts';
export { announceNew, change, changeAll, create, newRow, remove } from './record/write.ts';
export { answers, countOf, findOr404, findVisible, lock, lockAll, pageOf } from './record/read.ts';
export { eventData, eventDataFor, eventDataWith, show, showOne, showWith } from './record/show.ts';
export type { Shown } from './plugin/shown.ts';

// Lists and search: pages of rows that stay quick at any size.
export { by, is } from './list/list.ts';
export { defineNames } from './list/names.ts';
export { searchable } from './search/searchable.ts';
export { searched } from './search/filter.ts';
export { normalised } from './kit/normal.ts';

// Counters: totals that cost the same however many rows there are.
export { count, counterTable, statistic } from './list/counter.ts';

// Events, subscribers and jobs: what happens after the transaction, and at its hour.
export { event, job, subscriber, type Event, type EventRecord, type Subscriber } from './plugin/declare.ts';
export { cronFault, isTooOften, nextTime } from './events/cron.ts';
export type { Occurrence } from './events/event.ts';

// Other services: accounts that programs sign in with.
export { readBackupReport, type BackupReport } from './process/installation-backup.ts';

// Caches: reads that are kept for a moment, until a table changes.
export { cache } from './database/cache.ts';
export { changed, invalidateOnChange } from './plugin/changed.ts';

// Mail: written into the transaction, sent after it.
export { mailTemplate } from './mail/mail-template.ts';
export { sendMail, storeAttachment } from './mail/mail.ts';

// Exports: CSV, PDF and XLSX.
export { pdfPaper, type PdfPaper } from './files/pdf-paper.ts';

// Reports: what a plugin's records can be reported by, and how a report is checked, run and written to a file.
export { reportSource, type ReportSource } from './report/source.ts';
export { periods, periodsOf } from './report/period.ts';

// Time, money and text.
export { dayOf, fromDatabase, plus, secondsBetween, toDatabase, type Day, type Timestamp } from './kit/time.ts';
export { fromMinor, toMinor } from './kit/money.ts';
export { secret } from './kit/random.ts';
