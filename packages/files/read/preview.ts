// Previews an import file without validating or storing it: its columns, the field each probably is, and its date
// format.
import { z } from 'zod';
import { invalid } from '../fault.ts';
import { importTypes, type ImportColumn } from './columns.ts';
import { csvRecords, delimited } from './csv.ts';
import { dateForms } from './dates.ts';
import { countTitles, datesIn, headerKeys, readHeader } from './header.ts';
import { tableOf } from './table.ts';
import { encodings } from './text.ts';

const SAMPLES = 3;
const LONGEST_SAMPLE = 80;
const ROWS_LOOKED_AT = 2000;

/** The shape of the result of `previewTable`. */
export const ImportPreview = z.object({
  encoding: z.enum(encodings),
  delimiter: z.string(),
  /** Rows of data. */
  total: z.int(),
  columns: z.array(
    z.object({
      name: z.string().describe('Name to use in `mapping`: the second `Name` is `Name (2)`'),
      field: z.string().nullable().describe('Suggested field; null if none matches'),
      samples: z.array(z.string()),
    }),
  ),
  dates: z.enum(dateForms).nullable().describe('Null if the file has no dates or they are ambiguous'),
  ambiguous_dates: z.boolean().describe('True if the user must choose whether the day or the month comes first'),
  fields: z.array(
    z.object({
      name: z.string(),
      label: z.string(),
      type: z.enum(importTypes),
      required: z.boolean(),
      or: z.string().nullable().describe('Alternative to a required field'),
    }),
  ),
});

/** Reads a file without storing anything. @throws FileFault when it is not a table */
export async function previewTable(
  columns: readonly ImportColumn[],
  file: Buffer,
): Promise<z.infer<typeof ImportPreview>> {
  const { bytes, encoding } = await tableOf(file);
  const first: (readonly string[])[] = [];
  let records = 0;
  for await (const slice of csvRecords(bytes)) {
    records += slice.length;
    first.push(...slice.slice(0, Math.max(0, ROWS_LOOKED_AT - first.length)));
  }
  const titles = countTitles(columns, first, { guess: true });
  const [head, ...rows] = first.slice(titles);
  const total = records - titles - 1;
  if (!head || total === 0) throw invalid('The file has no rows');
  const header = readHeader(columns, head, { guess: true }, rows);
  const { dates, differ } = datesIn(header, rows);
  return {
    encoding,
    delimiter: delimited(bytes).delimiter,
    total,
    columns: headerKeys(head).map((name, at) => ({
      name,
      field: header[at]?.name ?? null,
      samples: samplesOf(rows, at),
    })),
    dates: dates ?? null,
    ambiguous_dates: differ,
    fields: columns.map(({ name, label, type, required = false, or = null }) => ({ name, label, type, required, or })),
  };
}

function samplesOf(rows: readonly (readonly string[])[], at: number): string[] {
  const filled = rows.map((row) => (row[at] ?? '').trim()).filter(Boolean);
  return [...new Set(filled)].slice(0, SAMPLES).map((each) => each.slice(0, LONGEST_SAMPLE));
}
