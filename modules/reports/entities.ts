import { choice, day, flag, id, int, json, key, ref, table, text, when, z, type Row } from '@keelson/core';
import { Company } from '@keelson/modules/directory';

export const ownerTypes = ['employee', 'technician', 'api'] as const;
export const formats = ['csv', 'pdf', 'xlsx'] as const;
export type Format = (typeof formats)[number];

const Value = z.union([z.string(), z.number(), z.boolean(), z.array(z.union([z.string(), z.number()])), z.null()]);
const Filter = z.object({ field: z.string(), operator: z.string(), value: Value.optional() });
const Sort = z.object({ field: z.string(), order: z.enum(['asc', 'desc']) });
const Aggregate = z.object({ function: z.enum(['count', 'sum', 'average']), field: z.string().optional() });

/** Mail schedule: cron expression in the tenant's time zone, file format, and recipient ids. */
export const Schedule = z.object({
  cron: z.string(),
  format: z.enum(formats),
  recipients: z.array(z.int()),
});
export type Schedule = z.infer<typeof Schedule>;

/** Report definition (F-41). */
export const Report = table(
  'report',
  {
    report_id: id(),
    surface: choice('helpdesk', 'admin').hidden(),
    /** The owner's company on the helpdesk surface. */
    company_number: ref(Company).nullable().hidden(),
    owner_type: choice(...ownerTypes).hidden(),
    /** Id of the employee, technician or API key. */
    owner_id: int().hidden(),
    name: text(255),
    description: text().default(''),
    source: text(64),
    fields: json(z.array(z.string())),
    filters: json(z.array(Filter)),
    group_by: text(64).nullable(),
    aggregates: json(z.array(Aggregate)),
    sort: json(z.array(Sort)),
    shared: flag().default(false),
    schedule: json(Schedule).nullable(),
    /** Set while the report has a schedule. */
    next_run_at: when().nullable(),
    created_by: text(255),
    last_run_at: when().nullable(),
    /** Why the last scheduled mail was not sent. */
    last_problem: text(255).nullable(),
    created_at: when(),
    updated_at: when(),
  },
  [['surface', 'company_number', 'created_at', 'report_id'], ['surface', 'created_at', 'report_id'], ['next_run_at']],
);
export type Report = Row<typeof Report>;

/** Spreadsheet to which a company's people may export reports. */
export const Spreadsheet = table(
  'report_spreadsheet',
  {
    sheet_id: id(),
    company_number: ref(Company),
    name: text(255),
    /** Google's id: the long part of the URL. */
    spreadsheet_id: key(128),
    created_at: when(),
    updated_at: when(),
  },
  [
    ['company_number', 'created_at', 'sheet_id'],
    ['created_at', 'sheet_id'],
  ],
  { unique: [['spreadsheet_id']] },
);
export type Spreadsheet = Row<typeof Spreadsheet>;

/** Report mails per day, for a company's people or for technicians (0). */
export const ReportMailUse = table('report_mail_use', { company_number: int().primary(), day: day(), mails: int() });
export type ReportMailUse = Row<typeof ReportMailUse>;
