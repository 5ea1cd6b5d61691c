// The columns of an import, and its template (F-06, X-10).
import { stringify } from 'csv-stringify/sync';
import { z } from 'zod';

export const importTypes = ['text', 'email', 'integer', 'boolean', 'choice', 'date', 'password'] as const;

/** A column of a file that can be imported. */
export interface ImportColumn {
  /** The record's field. */
  readonly name: string;
  /** Its name for people. */
  readonly label: string;
  readonly type: (typeof importTypes)[number];
  readonly required?: boolean;
  /** The values of a choice. */
  readonly options?: readonly string[];
  readonly max_length?: number;
  /** An example value; a column without one is not in the sample. */
  readonly sample?: string | number | boolean;
  /** The most rows of a file that may have it, when each is expensive. */
  readonly most?: number;
}

/** The shape of a template: the fields of a form or file for new records (F-06). */
export const ImportTemplate = z.object({
  fields: z.array(
    z.object({
      name: z.string(),
      label: z.string(),
      type: z.enum(importTypes),
      required: z.boolean(),
      options: z.array(z.string()),
      max_length: z.int().nullable(),
    }),
  ),
  csv_header: z.string(),
  sample: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])),
});

/** The template of declared columns. */
export function importTemplate(columns: readonly ImportColumn[]): z.input<typeof ImportTemplate> {
  return {
    fields: columns.map(({ name, label, type, required = false, options = [], max_length = null }) => ({
      name,
      label,
      type,
      required,
      options: [...options],
      max_length,
    })),
    csv_header: stringify([columns.map(({ name }) => name)]).trim(),
    sample: Object.fromEntries(columns.flatMap(({ name, sample }) => (sample === undefined ? [] : [[name, sample]]))),
  };
}

/** Finds a column by its name in a file: in any case, with spaces for underscores. */
export function columnFinder(columns: readonly ImportColumn[]): (called: string) => ImportColumn | undefined {
  const byName = new Map(columns.map((each) => [each.name, each]));
  return (called) => byName.get(called) ?? byName.get(called.trim().toLowerCase().replace(/\s+/g, '_'));
}

const FLAGS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['yes', true],
  ['false', false],
  ['0', false],
  ['no', false],
]);

/** The value of a cell; undefined when it is empty. Text that cannot be converted stays, for the schema to refuse. */
export function cellValue({ type }: ImportColumn, cell: string): unknown {
  // Passwords are not trimmed.
  if (type === 'password') return cell === '' ? undefined : cell;
  const text = cell.trim();
  if (text === '') return undefined;
  if (type === 'boolean') return FLAGS.get(text.toLowerCase()) ?? text;
  if (type === 'integer' && /^-?\d{1,15}$/.test(text)) return Number(text);
  return text;
}
