// The whole vocabulary of a module or plugin.
export { z } from 'zod';
export { answerSource, type AnswerSource, type AnswerText } from './answer-source.ts';
export type { App } from './app.ts';
export { changesBetween } from './log/activity.ts';
export { browserScript } from './http/browser-script.ts';
export { briefCache, type BriefCache } from './brief-cache.ts';
export { briefValue, type BriefValue } from './brief-value.ts';
export { changed, whenChanged } from './changed.ts';
export { command, type Command, type Shell } from './command.ts';
export { contextOf, startOfDay, theSystem, today, type Activity, type Author, type Context } from './context.ts';
export { recount } from './list/counter-fold.ts';
export { counterTable, count, figure, readCount, readCounts, recountRow, type CounterTable } from './list/counter.ts';
export { readFigures, tally, tallyNew } from './list/figure.ts';
export { pluginStates } from './lifecycle.ts';
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
export { gather, type Gathering } from './gather.ts';
export { derived } from './derived.ts';
export { dependent, holdersOf, type Dependent } from './dependents.ts';
export { changeDropdown, dropdown, readDropdown, type Dropdown, type DropdownItem } from './dropdown.ts';
export { event, subscriber, type Event, type EventRecord, type Occurrence, type Subscriber } from './events/event.ts';
export {
  deliverAgain,
  deliveryStates,
  findDelivery,
  forgetDeliveries,
  listDeliveries,
  type DeliveryQuery,
  type LoggedDelivery,
} from './events/delivery-log.ts';
export { publicData } from './events/public-data.ts';
export { Undelivered, type Outcome, type Receivers, type Report, type Target } from './events/target.ts';
export { postWebhook, signingKey, webhookLadder, webhookSecret, type SigningKey } from './events/webhook.ts';
export { inBatches, type ExportColumn, type ExportRow } from './files/export-rows.ts';
export { html, type Html } from './http/html.ts';
export { importTemplate, ImportTemplate, type ImportColumn } from './files/import-columns.ts';
export { readImport, type ImportFile, type ImportInput, type ImportSpec } from './files/import-file.ts';
export { pause } from './files/import-pause.ts';
export { importRows, ImportResult, type ImportedRow, type RowError, type StoredBatch } from './files/import-run.ts';
export { qrCode } from './http/qr.ts';
export { identity, type Credentials } from './identity.ts';
export { input } from './http/input.ts';
export { job } from './events/job.ts';
export { keyHash, keyPrefix, newKey, parseKey, tokenHash } from './security/key.ts';
export { by, byOther, countList, defineList, is, readPage, type Filter } from './list/list.ts';
export { readAll } from './list/list-export.ts';
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
export { addressRange, isWithin } from './security/address-range.ts';
export { matching } from './list/matching.ts';
export { removeBefore } from './database/prune.ts';
export { fromTypeorm, migration, type Migrator } from './database/migrate.ts';
export { defineNames, type NameSource } from './list/names.ts';
export { fromMinor, toMinor } from './money.ts';
export { normalised } from './normal.ts';
export { hashPassword, passwordProblem, verifyPassword } from './security/password.ts';
export {
  newOidcAttempt,
  OidcRefused,
  oidcProvider,
  OidcUnreachable,
  type OidcPerson,
  type OidcProvider,
} from './security/oidc.ts';
export { perApp } from './per-app.ts';
export { param } from './http/param.ts';
export { pdfStream } from './files/pdf.ts';
export { definePlugin, type Plugin } from './plugin.ts';
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
} from './problem.ts';
export { newId, secret } from './random.ts';
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
} from './route.ts';
export { setting } from './settings.ts';
export { containing, joined, listed, name, sql, type Sql } from './database/sql.ts';
export { ActivityLine } from './log/activity.ts';
export { authorsLike, countActivity } from './log/activity-tally.ts';
export { ErrorCount, ErrorLine } from './log/error-log.ts';
export { Retention } from './log/retention.ts';
export { anyone, type Access, type Permission } from './surface.ts';
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
} from './time.ts';
export { onSignals } from './http/server.ts';
export { toMany, toOne, type Relation } from './database/relation.ts';
export { parse } from './http/validate.ts';
export { emptyDatabase } from './database/wipe.ts';
export { newTotpKey, totpStep, totpUri } from './security/totp.ts';
export { signAccess, tokenVerifier, type AccessClaims } from './security/token.ts';
