// Core's own tables.
import type { Table } from '@keelson/database/schema/table.ts';
import { CommitMark } from '@keelson/database/transaction/commit-mark.ts';
import { Delivery, StoredEvent } from '@keelson/events/delivery/delivery.ts';
import { JobRun } from '@keelson/events/job/job-run.ts';
import { Sequence } from '@keelson/list/allocator.ts';
import { CounterCompaction } from '@keelson/list/counter/counter-compaction.ts';
import { NameVersion } from '@keelson/list/name-cache.ts';
import { ActivityBlock } from '@keelson/log/activity-chain.ts';
import { ActivityTally } from '@keelson/log/activity-count.ts';
import { ActivityLine } from '@keelson/log/activity.ts';
import { ErrorCount, ErrorLine } from '@keelson/log/error-log.ts';
import { Mail, MailAttachment } from '@keelson/mail/mail.ts';
import { StoredTemplate } from '@keelson/mail/stored-template.ts';
import type { EntitySchema } from 'typeorm';
import { Attachment, AttachmentUse } from '../../attachments/attachment.ts';
import { IdempotencyKey } from '../../http/idempotency.ts';
import { RecordChange } from '../../plugin/change-feed.ts';
import type { Plugin } from '../../plugin/plugin.ts';
import { StoredSetting } from '../../plugin/setting/settings.ts';
import { ModuleSwitch } from '../../plugin/setting/switch.ts';
import { ImportRow, ImportRun } from '../../record/import/import-history.ts';
import { SearchEnding, SearchLease, SearchProgress, SearchText, SearchWord } from '../../search/entities.ts';

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
