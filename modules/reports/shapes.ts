import { input, z } from '@keelson/core';
import { fieldTypes, operators, periods } from '@keelson/core/system';
import { reportQueryFields } from './engine/definition.ts';
import { formats } from './entities.ts';
import { spreadsheetId } from './google/spreadsheets.ts';

const Labels = z.record(z.string(), z.string());

/** Result of a report (F-42). */
export const ReportTable = z.object({
  report_id: z.int(),
  name: z.string(),
  source: z.string(),
  columns: z.array(
    z.object({
      key: z.string(),
      label: z.string(),
      type: z.enum(fieldTypes),
      /** What the numbers in it mean. */
      labels: Labels.optional(),
    }),
  ),
  rows: z.array(z.record(z.string(), z.unknown())),
  total: z.int(),
  truncated: z.boolean(),
  generated_at: z.iso.datetime(),
});

/** Fields of a source (F-43). */
export const SourceFields = z.object({
  source: z.string(),
  fields: z.array(
    z.object({
      name: z.string(),
      label: z.string(),
      type: z.enum(fieldTypes),
      filterable: z.boolean(),
      sortable: z.boolean(),
      groupable: z.boolean(),
      periods: z.array(z.enum(periods)),
      operators: z.array(z.enum(operators)),
      summable: z.boolean(),
      /** The values of a choice; null for any other type. */
      choices: z.array(z.string()).nullable(),
      /** What the numbers of the field mean; null if they are plain numbers. */
      labels: Labels.nullable(),
    }),
  ),
});

/** A source that the caller can report on. */
export const SourceItem = z.object({ name: z.string(), title: z.string() });

/** First rows of an unsaved report. */
export const ReportPreview = ReportTable.pick({ columns: true, rows: true, total: true, truncated: true });

/** Key figures (F-44). */
export const Metrics = z.object({
  open_tickets: z.int(),
  high_priority: z.int(),
  avg_resolution_hours: z.number(),
  tickets_today: z.int(),
  tickets_this_week: z.int(),
  sla_compliance: z.number(),
});
export const OwnMetrics = Metrics.extend({ pending_approvals: z.int(), closed_this_month: z.int() });

const MOST_RECIPIENTS = 20;

const schedule = input.clearable(
  z.object({
    cron: input.text(100),
    format: input.choice(formats).default('csv'),
    recipients: input.ids({ max: MOST_RECIPIENTS }),
  }),
);

const { group_by, ...lists } = reportQueryFields;
const optionalLists = {
  fields: input.optional(lists.fields),
  filters: input.optional(lists.filters),
  aggregates: input.optional(lists.aggregates),
  sort: input.optional(lists.sort),
  group_by,
};

export const newReport = z.object({
  name: input.text(255),
  description: input.optionalLongText(),
  source: input.text(64),
  ...optionalLists,
  shared: input.optional(input.flag()),
  schedule,
});

/** The definition to preview. */
export const reportQuery = z.object({ source: input.text(64), ...optionalLists });

export const reportChanges = input.changes({
  name: input.text(255),
  description: input.optionalLongText(),
  source: input.text(64),
  ...optionalLists,
  shared: input.flag(),
  schedule,
});

/** A run may override the filters. */
export const runBody = z.object({ filters: input.optional(lists.filters) }).optional();

/** Target of a spreadsheet export. */
export const sheetTarget = z.object({
  spreadsheet_id: input.optional(spreadsheetId()),
  sheet_name: input.optional(input.text(100)),
});
export const SheetResult = z.object({
  spreadsheet_id: z.string(),
  spreadsheet_url: z.string(),
  rows_synced: z.int(),
  synced_at: z.iso.datetime(),
});

export const accountBody = z.object({
  client_email: input.email(),
  private_key: input.secret(8192),
  token_url: input.optional(input.url()),
  api_url: input.optional(input.url()),
});
export const AccountShape = z.object({
  configured: z.boolean(),
  client_email: z.string().nullable(),
  token_url: z.string().nullable(),
  api_url: z.string().nullable(),
});
