// Core's own tables.
import type { EntitySchema } from 'typeorm';
import { Attachment, AttachmentUse } from '../attachments/attachment.ts';
import { CommitMark } from '../database/commit-mark.ts';
import type { Table } from '../database/table.ts';
import { Delivery, StoredEvent } from '../events/delivery.ts';
import { JobRun } from '../events/job-run.ts';
import { IdempotencyKey } from '../http/idempotency.ts';
import { Sequence } from '../list/allocator.ts';
import { CounterCompaction } from '../list/counter-compaction.ts';
import { NameVersion } from '../list/names.ts';
import { ActivityBlock } from '../log/activity-chain.ts';
import { ActivityTally } from '../log/activity-count.ts';
import { ActivityLine } from '../log/activity.ts';
import { ErrorCount, ErrorLine } from '../log/error-log.ts';
import { Mail, MailAttachment } from '../mail/mail.ts';
import { StoredTemplate } from '../mail/stored-template.ts';
import type { Plugin } from '../plugin/plugin.ts';
import { RecordChange } from '../plugin/record-change.ts';
import { StoredSetting } from '../plugin/settings.ts';
import { ModuleSwitch } from '../plugin/switch.ts';
import { ImportRow, ImportRun } from '../record/import-run.ts';
import { SearchEnding, SearchLease, SearchProgress, SearchText, SearchWord } from '../search/entities.ts';

export const coreTables: readonly Table[] = [
  StoredEvent,
  Delivery,
  JobRun,
  ActivityLine,
  ActivityBlock,
  ActivityTally,
  ErrorLine,
  ...ErrorCount.tables,
  IdempotencyKey,
  CommitMark,
  Sequence,
  CounterCompaction,
  NameVersion,
  StoredSetting,
  ModuleSwitch,
  RecordChange,
  Mail,
  MailAttachment,
  StoredTemplate,
  Attachment,
  AttachmentUse,
  ImportRun,
  ImportRow,
  SearchText,
  SearchWord,
  SearchEnding,
  SearchLease,
  SearchProgress,
];

/** Returns every table of an installation. */
export function tablesOf(plugins: readonly Plugin[]): EntitySchema[] {
  return [...coreTables, ...tablesOfPlugins(plugins)];
}

/** Returns the plugins' tables. */
export function tablesOfPlugins(plugins: readonly Plugin[]): EntitySchema[] {
  const counters = plugins.flatMap((plugin) => plugin.counters ?? []);
  return [...plugins.flatMap((plugin) => plugin.entities ?? []), ...counters.flatMap((each) => each.tables)];
}
