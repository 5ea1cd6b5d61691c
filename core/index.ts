// The whole vocabulary of a module or plugin.
export { z } from 'zod';
export { answerSource, type AnswerSource, type AnswerText } from './plugin/answer-source.ts';
export type { App } from './plugin/app.ts';
export { changesBetween } from './log/activity.ts';
export { browserScript } from './http/browser-script.ts';
export { cache, type Cache } from './database/cache.ts';
export { changed, invalidateOnChange } from './plugin/changed.ts';
export { command, type Command, type Shell } from './plugin/command.ts';
export { contextOf, startOfDay, today, type Context } from './plugin/context.ts';
export { theSystem, type Activity, type Author } from './log/activity.ts';
export { recount } from './list/counter-compaction.ts';
export {
  counterTable,
  count,
  statistic,
  readCount,
  readCounts,
  recountRow,
  type CounterTable,
} from './list/counter.ts';
export { readStatistics, updateCounters, updateCountersForNew } from './list/statistics.ts';
export { pluginStates } from './plugin/lifecycle.ts';
export { csvStream } from './files/csv.ts';
export {
  above,
  atLeast,
  atMost,
  below,
  DuplicateKey,
  not,
  type Database,
  type Db,
  type Transaction,
} from './database/db.ts';
export { batchWrites, type WriteBatch } from './kit/batch-writes.ts';
export { memoize } from './kit/memoize.ts';
export { dependent, findHolders, type Dependent } from './plugin/dependents.ts';
export { changeDropdown, dropdown, readDropdown, type Dropdown, type DropdownItem } from './plugin/dropdown.ts';
export type { Occurrence } from './events/event.ts';
export {
  event,
  job,
  subscriber,
  type Event,
  type EventRecord,
  type Receivers,
  type Subscriber,
  type Target,
} from './plugin/declare.ts';
export {
  deliverAgain,
  deliveryStates,
  findDelivery,
  deleteDeliveries,
  listDeliveries,
  type DeliveryQuery,
  type LoggedDelivery,
} from './events/delivery-log.ts';
export { publicData } from './plugin/public-data.ts';
export { DeliveryError, type DeliveryOutcome, type Report } from './events/target.ts';
export { postWebhook, signingKey, webhookRetrySchedule, webhookSecret, type SigningKey } from './events/webhook.ts';
export { inBatches, type ExportColumn, type ExportRow } from './files/export-rows.ts';
export { html, type Html } from './kit/html.ts';
export { importTemplate, ImportTemplate, type ImportColumn } from './files/import-columns.ts';
export { readImport, type ImportFile, type ImportInput, type ImportSpec } from './files/import-file.ts';
export { yieldToOthers } from './files/import-pause.ts';
export { importRows, ImportResult, type ImportedRow, type RowError, type StoredBatch } from './files/import-run.ts';
export { qrCode } from './http/qr.ts';
export { identity, type Credentials } from './plugin/identity.ts';
export { input } from './kit/input.ts';
export { keyHash, keyPrefix, newKey, parseKey, tokenHash } from './security/key.ts';
export { by, byOther, countList, defineList, is, readPage, type Filter } from './list/list.ts';
export { readAll } from './list/read-all.ts';
export { mailTemplate, type MailTemplate } from './mail/mail-template.ts';
export {
  changeTemplate,
  findTemplate,
  listTemplates,
  previewTemplate,
  resetTemplate,
  sendSample,
  type EditableTemplate,
} from './mail/edit-template.ts';
export { fillIn, templateProblem } from './mail/mail-words.ts';
export { Mail, mailStates, sendMail, type Letter } from './mail/mail.ts';
export { retryMail } from './mail/mail-delivery.ts';
export { addressBucket } from './security/address.ts';
export { addressRange, isWithin } from './security/address-range.ts';
export { matching } from './list/text-search.ts';
export { removeBefore } from './database/prune.ts';
export { fromTypeorm, migration, type Migrator } from './database/migrate.ts';
export { defineNames, type NameSource } from './list/names.ts';
export { fromMinor, toMinor } from './kit/money.ts';
export { dictionary, dictionaryOf, type Dictionary } from './kit/dictionary.ts';
export { isForbiddenName } from './http/json.ts';
export { normalised, searchedWords, wordsIn } from './kit/normal.ts';
export { inTime } from './database/sqlite-watch.ts';
export { hashPassword, passwordProblem, verifyPassword } from './security/password.ts';
export {
  newOidcAttempt,
  OidcRefused,
  oidcProvider,
  OidcUnreachable,
  type OidcPerson,
  type OidcProvider,
} from './security/oidc.ts';
export { perApp } from './plugin/per-app.ts';
export { param } from './kit/param.ts';
export { pdfStream, type PdfFilter, type PdfList } from './files/pdf.ts';
export { definePlugin, type Plugin } from './plugin/plugin.ts';
export {
  conflict,
  duplicate,
  forbidden,
  inUse,
  invalid,
  notFound,
  Problem,
  signedOut,
  tooMany,
  unavailable,
} from './kit/problem.ts';
export { newId, secret } from './kit/random.ts';
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
  type FileAnswer,
  type Http,
  type Page,
  type Route,
  type Upload,
} from './plugin/route.ts';
export type { Shown } from './plugin/shown.ts';
export { setting } from './plugin/settings.ts';
export { answers, countOf, findOr404, findVisible, lock, lockAll, pageOf } from './record/read.ts';
export { noun, type Noun } from './record/noun.ts';
export { record, type Change, type Given, type Recorded, type Wanted } from './record/record.ts';
export { eventData, eventDataFor, eventDataWith, show, showOne, showWith } from './record/show.ts';
export { view, type AskedOf, type OutOf, type View } from './record/view.ts';
export { announceNew, change, changeAll, create, newRow, remove } from './record/write.ts';
export { containing, joined, listed, name, sql, type Sql } from './database/sql.ts';
export { ActivityLine } from './log/activity.ts';
export { authorsLike, countActivity } from './log/activity-count.ts';
export { ErrorCount, ErrorLine } from './log/error-log.ts';
export { Retention } from './process/retention.ts';
export { anyone, type Access, type Permission } from './plugin/surface.ts';
export {
  admin,
  administrators,
  adminSurface,
  anyCredential,
  type Admin,
  type AdminKey,
  type Role,
  type Technician as TechnicianActor,
} from './surfaces/admin.ts';
export { crm, crmSurface, type CrmKey, type CrmKeyType } from './surfaces/crm.ts';
export {
  employeeName,
  helpdesk,
  helpdeskSurface,
  itAdmin,
  manager,
  signedIn,
  ticketCreator,
  type Employee as EmployeeActor,
} from './surfaces/helpdesk.ts';
export { pages, pagesSurface } from './surfaces/pages.ts';
export {
  big,
  choice,
  day,
  flag,
  id,
  int,
  json,
  key,
  ref,
  table,
  text,
  when,
  type New,
  type Row,
  type Table,
} from './database/table.ts';
export {
  dayOf,
  fromDatabase,
  plus,
  secondsBetween,
  toDatabase,
  unixSeconds,
  type Day,
  type Timestamp,
} from './kit/time.ts';
export { onSignals } from './http/server.ts';
export { toMany, toOne, type Relation } from './database/relation.ts';
export { parse } from './kit/validate.ts';
export { emptyDatabase } from './process/wipe.ts';
export { newTotpKey, totpStep, totpUri } from './security/totp.ts';
export { signAccess, tokenVerifier, type AccessClaims } from './security/token.ts';
