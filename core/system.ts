// Exports for the built-in administration modules only, grouped by subject. Plugins may not import this file
// (test/rules.test.ts). docs/api.md is generated from it too.

// Pages: the pages and panels a person may see.
export { metRules, ShownPages, shownPages } from './web/shown-pages.ts';
export { inputFields } from './web/fields.ts';

// Callers: how each surface identifies the caller.
export { signedOut } from '@keelson/kit/problem.ts';
export type { Http } from './plugin/route/route.ts';
export { onlyProgram, type Program } from './plugin/route/surface.ts';
export { programs, type AdminKey, type Technician as TechnicianActor } from './surfaces/admin.ts';
export {
  bearerOf,
  CREDENTIAL_IN_QUERY,
  identity,
  programIdentity,
  type Credentials,
} from './plugin/declaration/identity.ts';
export { adminSurface, type Role } from './surfaces/admin.ts';
export { crmSurface } from './surfaces/crm.ts';
export { helpdeskSurface } from './surfaces/helpdesk.ts';
export { pagesSurface } from './surfaces/pages.ts';
export { authoredBy, contextOf } from './plugin/context.ts';

// Keys, tokens and addresses.
export { keyHash, keyPrefix, newKey, parseKey, tokenHash } from '@keelson/security/key.ts';
export { addressBucket } from '@keelson/security/address.ts';

// Signing in: passwords.
export { passwordProblem } from '@keelson/security/password.ts';
export { hashInTurn, verifyInTurn } from './plugin/password-turn.ts';
export { LONGEST_GUESS_WAIT } from '@keelson/security/guess/guess.ts';

// Webhooks: receivers registered at run time, and sending.
export type { Receivers, Target } from './plugin/declaration/declare.ts';
export { publicData } from './plugin/route/public-data.ts';
export { DeliveryError, type DeliveryOutcome, type Report } from '@keelson/events/delivery/target.ts';
export {
  postWebhook,
  signingKey,
  webhookRetrySchedule,
  webhookSecret,
  type SigningKey,
} from '@keelson/events/delivery/webhook.ts';

// Mail templates: editing by administrators, and the log of sent mail.
export {
  changeTemplate,
  findTemplate,
  listTemplates,
  previewTemplate,
  resetTemplate,
} from '@keelson/mail/edit-template.ts';
export { sendSample, type EditableTemplate } from '@keelson/mail/edit-template.ts';
export { fillIn, templateProblem } from '@keelson/mail/mail-words.ts';
export { Mail, type Letter } from '@keelson/mail/mail.ts';
export { retryMail } from '@keelson/mail/mail-delivery.ts';

// Backups of the installation: their schedule.
export { backupDays, keptLimits, readBackupCron, readBackupsKept, StoredBackupSchedule } from './backup/schedule.ts';
export type { BackupSchedule } from './backup/schedule.ts';
export { checkPlaces } from './process/backup/backup-places.ts';

// Logs: the activity log, the error log, and their retention.
export { ActivityLine } from '@keelson/log/activity.ts';
export { authorsLike, countActivity } from '@keelson/log/activity-count.ts';
export { ErrorCount, ErrorLine } from '@keelson/log/error-log.ts';
export { ImportRetention, Retention } from './process/database/retention.ts';

// Reports: the declared fields, and reading all rows that a view shows.
export { fieldTypes, operators, periods } from './record/report/report-field.ts';
export type { FieldType, Operator, Period, ReportField } from './record/report/report-field.ts';
export { lookupMembers } from './record/copy.ts';
export { readLookups } from './record/show.ts';
export { readTotal, rowReader } from '@keelson/list/list-statements.ts';
export { planWalk, type Range, type WalkPlan } from '@keelson/list/walk/walk-plan.ts';
export { walk } from '@keelson/list/walk/walk.ts';
export { fairQueue } from '@keelson/kit/fair-queue.ts';

// Imports: their history, and undoing them.
export { ImportRow, ImportRun, ImportUndoing } from './record/import/import-history.ts';
export { importableOf, undoImport, undoImports } from './record/import/import-undo.ts';

// Operations: plugin states, dropdown lists, commands, counters.
export { pluginStates } from './plugin/load/lifecycle.ts';
export { Currency } from './plugin/setting/currency.ts';
export { ProviderLanguage } from './plugin/setting/language.ts';
export { TimeZone } from './plugin/setting/zone.ts';
export { changeDropdown, type Dropdown } from './plugin/declaration/dropdown.ts';
export { recount } from '@keelson/list/counter/counter-compaction.ts';
export { batchWrites } from '@keelson/kit/batch-writes.ts';
export type { Shell } from './plugin/declaration/command.ts';
export type { Database } from '@keelson/database/db.ts';
export { checkPort } from '@keelson/server/server.ts';
export { onSignals } from './process/signals.ts';
export { emptyDatabase } from './process/database/wipe.ts';
