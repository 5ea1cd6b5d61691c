// The columns of an import, and its template (F-06, X-10).
import { stringify } from 'csv-stringify/sync';
import { z } from 'zod';

export const importTypes = ['text', 'email', 'integer', 'boolean', 'choice', 'date', 'password', 'amount'] as const;

/** A column of an importable file. */
export interface ImportColumn {
  /** The record's field. */
  readonly name: string;
  /** The name shown to users. */
  readonly label: string;
  readonly type: (typeof importTypes)[number];
  readonly required?: boolean;
  /** The values of a choice. */
  readonly options?: readonly string[];
  readonly max_length?: number;
  /** An example value. A column without one is omitted from the sample. */
  readonly sample?: string | number | boolean;
  /** Maximum rows per file that may have a value, for expensive columns. */
  readonly most?: number;
  /** Names used by other programs, most likely first. */
  readonly aliases?: readonly string[];
  /** Another column that can satisfy `required`: `full_name` for `first_name`. */
  readonly or?: string;
  /** Accepted in files but not in the template: a name that stands for an id. */
  readonly filesOnly?: true;
}

/** Date formats of files: year, day or month first. ISO dates are always recognised. */
export const dateForms = ['ymd', 'dmy', 'mdy'] as const;
export type DateForm = (typeof dateForms)[number];

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

/** Returns the template of declared columns. */
export function importTemplate(columns: readonly ImportColumn[]): z.input<typeof ImportTemplate> {
  const shown = columns.filter((each) => !each.filesOnly);
  return {
    fields: shown.map(({ name, label, type, required = false, options = [], max_length = null }) => ({
      name,
      label,
      type,
      required,
      options: [...options],
      max_length,
    })),
    csv_header: stringify([shown.map(({ name }) => name)]).trim(),
    sample: Object.fromEntries(shown.flatMap(({ name, sample }) => (sample === undefined ? [] : [[name, sample]]))),
  };
}

/** Finds a column by its name in a file: case-insensitive, with spaces for underscores. */
export function columnFinder(columns: readonly ImportColumn[]): (called: string) => ImportColumn | undefined {
  const byName = new Map(columns.map((each) => [each.name, each]));
  return (called) => byName.get(called) ?? byName.get(called.trim().toLowerCase().replace(/\s+/g, '_'));
}

const yes: readonly string[] = ['true', '1', 'yes', 'y', 'on', 'x', 'enabled', 'ja', 'oui', 'si', 'sí', 'wahr', 'vrai'];
const no: readonly string[] = ['false', '0', 'no', 'n', 'off', 'disabled', 'nein', 'non', 'falsch', 'faux'];
const FLAGS: ReadonlyMap<string, boolean> = new Map([
  ...yes.map((each) => [each, true] as const),
  ...no.map((each) => [each, false] as const),
]);

/** Cell parsing options. */
export interface CellForms {
  /** Day or month first, in dates that do not start with the year. */
  readonly dates?: DateForm | undefined;
  /** Accepts unambiguous dates even without `dates`. */
  readonly guess?: boolean;
}

/** Parses a cell. Undefined if it is empty. Text that cannot be converted is kept, and the schema rejects it. */
export function cellValue({ type, options = [] }: ImportColumn, cell: string, forms: CellForms = {}): unknown {
  // Passwords are not trimmed.
  if (type === 'password') return cell === '' ? undefined : cell;
  const text = cell.trim();
  if (text === '') return undefined;
  if (type === 'boolean') return FLAGS.get(text.toLowerCase()) ?? text;
  if (type === 'integer' && /^-?\d{1,15}$/.test(text)) return Number(text);
  if (type === 'date') return isoDate(text, forms) ?? text;
  if (type === 'amount') return amountOf(text) ?? text;
  if (type === 'choice') return options.find((each) => plain(each) === plain(text)) ?? text;
  return text;
}

const plain = (text: string): string => text.toLowerCase().replaceAll(/[\s_-]+/g, '');

/** `1,234.50`, `1.234,50 €`, `$99`: the last comma or point with one or two digits behind it is the decimal one. */
function amountOf(text: string): number | undefined {
  const bare = text.replaceAll(/[\s'’]|[\p{Sc}]|^[A-Z]{3}|[A-Z]{3}$/gu, '');
  const [, sign = '', whole = '', decimals = ''] = /^(-?)([\d.,]*?)(?:[.,](\d{1,2}))?$/.exec(bare) ?? [];
  const digits = whole.replaceAll(/[.,](?=\d{3}(?:\D|$))/g, '');
  if (!/^\d{1,13}$/.test(digits)) return undefined;
  return Number(`${sign}${digits}.${decimals || '0'}`);
}

/** `24.10.2014`, `10/24/14 13:00`: three numbers, optionally followed by a time. */
const DATE = /^(\d{1,4})[./-](\d{1,2})[./-](\d{1,4})(?:[ T].*)?$/;

/** Returns the possible readings of a date: two for `03/04/2014`, one for `24/10/2014`. */
export function readingsOf(text: string): ReadonlyMap<DateForm, string> {
  return new Map(
    dateForms.flatMap((dates) => {
      const day = isoDate(text, { dates });
      return day === undefined ? [] : [[dates, day] as const];
    }),
  );
}

function isoDate(text: string, { dates, guess = false }: CellForms): string | undefined {
  const [, a = '', b = '', c = ''] = DATE.exec(text) ?? [];
  if (a.length === 4) return dayOf(a, b, c);
  if (dates === 'dmy') return dayOf(c, b, a);
  if (dates === 'mdy') return dayOf(c, a, b);
  if (dates !== undefined || !guess) return undefined;
  const ways = [dayOf(c, b, a), dayOf(c, a, b)].filter((each) => each !== undefined);
  return new Set(ways).size === 1 ? ways[0] : undefined;
}

/** Two-digit years mean 1970 to 2069. */
function dayOf(year: string, month: string, day: string): string | undefined {
  const full = year.length === 2 ? Number(year) + (Number(year) < 70 ? 2000 : 1900) : Number(year);
  if (year.length !== 4 && year.length !== 2) return undefined;
  const date = new Date(Date.UTC(full, Number(month) - 1, Number(day)));
  if (date.getUTCMonth() !== Number(month) - 1 || date.getUTCDate() !== Number(day)) return undefined;
  return date.toISOString().slice(0, 10);
}
