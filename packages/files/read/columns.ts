// The columns of an import, and its template (F-06, X-10).
import { stringify } from 'csv-stringify/sync';
import { z } from 'zod';
import { unguarded } from '../formulas.ts';
import { isNoDate, isoDate, type DateReading } from './dates.ts';
import { amountOf, integerOf } from './numbers.ts';

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
  /** What other programs write for the values of a choice. */
  readonly synonyms?: Readonly<Record<string, readonly string[]>>;
  readonly max_length?: number;
  /** An example value. A column without one is omitted from the sample. */
  readonly sample?: string | number | boolean;
  /** Maximum rows per file that may have a value, for expensive columns. */
  readonly most?: number;
  /** Names used by other programs, most likely first. */
  readonly aliases?: readonly string[];
  /** Names that take precedence over the column's own: of `Title` and `Job title`, the second is the title. */
  readonly ahead?: readonly string[];
  /** Of several values in a cell, the first is used. */
  readonly first?: true;
  /** Another column that can satisfy `required`: `full_name` for `first_name`. */
  readonly or?: string;
  /** Accepted in files but not in the template: a name that stands for an id. */
  readonly filesOnly?: true;
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

const yes =
  'true 1 yes y t on x ✓ ✔ ☑ enabled ja j oui si sí sim wahr vrai verdadero verdadeiro vero waar prawda tak igen da ano tacit automatic -1';
const no =
  'false 0 no n f off disabled nein non não nao nee nie nej nem ne falsch faux falso onwaar fałsz manual never';
const FLAGS: ReadonlyMap<string, boolean> = new Map([
  ...yes.split(' ').map((each) => [each, true] as const),
  ...no.split(' ').map((each) => [each, false] as const),
]);

/** Returns true for `yes`, `0`, `ja` and the like. */
export const isFlag = (cell: string): boolean => FLAGS.has(cell.trim().toLowerCase());

/** Cell parsing options. */
export interface CellForms extends DateReading {
  /** Reads values as other programs write them. */
  readonly guess?: boolean;
}

/** Parses a cell. Undefined if it is empty. Text that cannot be converted is kept, and the schema rejects it. */
export function cellValue(column: ImportColumn, cell: string, forms: CellForms = {}): unknown {
  const { type } = column;
  // Passwords are not trimmed.
  if (type === 'password') return cell === '' ? undefined : cell;
  const text = firstOf(column, unguarded(cell.trim()), forms);
  if (text === '') return undefined;
  if (type === 'boolean') return FLAGS.get(text.toLowerCase()) ?? text;
  if (type === 'integer') return integerOf(text) ?? text;
  if (type === 'date') return isNoDate(text) ? undefined : (isoDate(text, forms) ?? text);
  if (type === 'amount') return amountOf(text) ?? text;
  if (type === 'email') return addressIn(text);
  if (type === 'choice') return choiceOf(column, text) ?? text;
  return text;
}

/** `a@example.com ::: b@example.com` is how Google joins values. */
const JOINED = ' ::: ';
/** `N/A`, `-`: what people and programs write for no value. */
const NO_VALUE = /^(?:n\/?a|-+|none|null|unknown|dhcp)$/i;

/** Returns the first value of a cell with several. */
function firstOf({ first }: ImportColumn, text: string, { guess }: CellForms): string {
  const own = guess && text.includes(JOINED) ? text.slice(0, text.indexOf(JOINED)).trim() : text;
  if (!first) return own;
  const values = own.split(/[\s,;|]+|<br ?\/?>/).filter((each) => each !== '' && !NO_VALUE.test(each));
  return values[0] ?? '';
}

/** Returns the address in `Ann Lee <ann@example.com>`, `mailto:ann@example.com` and `ann@example.com; …`. */
function addressIn(text: string): string {
  const [, named] = /<([^<>\s]+@[^<>\s]+)>/.exec(text) ?? [];
  const found = named ?? text.split(/\s*(?:[,;|\r\n]|<br ?\/?>)\s*/).find((each) => each.includes('@')) ?? text;
  return found.replace(/^(?:mailto|smtp):/i, '');
}

function choiceOf({ options = [], synonyms = {} }: ImportColumn, text: string): string | undefined {
  const wanted = plain(text);
  return (
    options.find((each) => plain(each) === wanted) ??
    options.find((each) => synonyms[each]?.some((other) => plain(other) === wanted))
  );
}

const plain = (text: string): string => text.toLowerCase().replaceAll(/[\s_-]+/g, '');
