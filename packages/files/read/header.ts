// Maps file columns to fields: by our own names, by other programs' names, or by the caller's mapping.
import { invalid } from '../fault.ts';
import { columnFinder, isFlag, type ImportColumn } from './columns.ts';
import { MOST_TITLES } from './csv.ts';
import { dateForms, readingsOf, type DateForm } from './dates.ts';

/** Programs with known exports. The names are only labels: the headers of all of them are matched. */
export const importProfiles = [
  'auto',
  'snipe-it',
  'glpi',
  'itflow',
  'microsoft-365',
  'google',
  'outlook',
  'halo',
] as const;

/** Fields by file column. '' and null leave a column out. */
export type ImportMapping = Readonly<Record<string, string | null>>;

export interface HeaderWishes {
  readonly mapping?: ImportMapping | undefined;
  /** Match columns by the names other programs use. */
  readonly guess?: boolean;
}

/** Returns unique keys for a header's columns: the second `Name` is `Name (2)`. */
export function headerKeys(cells: readonly string[]): string[] {
  const seen = new Map<string, number>();
  return cells.map((cell) => {
    const name = cell.trim();
    const n = (seen.get(name) ?? 0) + 1;
    seen.set(name, n);
    return n === 1 ? name : `${name} (${n})`;
  });
}

/** Returns how many of the first records are a report's title: a single cell each, which names no column. */
export function countTitles(
  columns: readonly ImportColumn[],
  records: readonly (readonly string[])[],
  { mapping = {}, guess = false }: HeaderWishes,
): number {
  if (!guess && Object.keys(mapping).length === 0) return 0;
  const isTitle = (record: readonly string[]) => {
    const [cell = '', ...more] = record.map((each) => each.trim()).filter(Boolean);
    const isColumn = Object.hasOwn(mapping, cell) || readHeader(columns, [cell], { guess })[0] !== undefined;
    return more.length === 0 && !isColumn;
  };
  const header = records.slice(0, MOST_TITLES + 1).findIndex((each) => !isTitle(each));
  return Math.max(0, header);
}

/**
 * Returns the declared column of each header cell.
 * @param sample some rows, used to pick the filled one of two columns with the same name
 * @throws FileFault for a mapping to an unknown field, or of one field twice
 */
export function readHeader(
  columns: readonly ImportColumn[],
  cells: readonly string[],
  { mapping = {}, guess = false }: HeaderWishes,
  sample: readonly (readonly string[])[] = [],
): (ImportColumn | undefined)[] {
  const keys = headerKeys(cells);
  const find = columnFinder(columns);
  const mapped = keys.map((key) => mappedTo(columns, mapping, key));
  const taken = new Set(mapped.flatMap((each) => each ?? []));
  const usual = keys.map((key, at) => {
    if (mapped[at] !== undefined) return mapped[at] ?? undefined;
    const column = find(cells[at] ?? '');
    return column && !taken.has(column) ? column : undefined;
  });
  const header = guess ? withGuesses(columns, cells, usual, mapped, sample) : usual;
  const twice = header.find((each, at) => each && header.indexOf(each) !== at);
  if (twice) throw invalid(`The column ${twice.name} appears twice`);
  return header;
}

/** Returns null for a column left out, or undefined for one that is not mapped. */
function mappedTo(columns: readonly ImportColumn[], mapping: ImportMapping, key: string) {
  if (!Object.hasOwn(mapping, key)) return undefined;
  const wanted = mapping[key];
  if (!wanted) return null;
  const column = columns.find(({ name }) => name === wanted);
  if (!column) throw invalid(`mapping contains ${wanted}, which is not a field`);
  return column;
}

/** Assigns unclaimed columns to missing fields. The earliest of a field's names wins. */
function withGuesses(
  columns: readonly ImportColumn[],
  cells: readonly string[],
  usual: readonly (ImportColumn | undefined)[],
  mapped: readonly (ImportColumn | null | undefined)[],
  sample: readonly (readonly string[])[],
): (ImportColumn | undefined)[] {
  // Two columns with the same declared name are decided by the guess too.
  const header = usual.map((each, at) =>
    each && usual.indexOf(each) !== usual.lastIndexOf(each) ? undefined : usual[at],
  );
  const filled = (at: number) => sample.filter((row) => (row[at] ?? '').trim() !== '').length;
  const free = (at: number) => header[at] === undefined && mapped[at] === undefined;
  // A directory's “Manager” contains names, not whether someone is one.
  const fits = ({ type }: ImportColumn, at: number) =>
    type !== 'boolean' || sample.every((row) => (row[at] ?? '').trim() === '' || isFlag(row[at] ?? ''));
  for (const column of columns) {
    const ahead = mapped.includes(column) ? [] : (column.ahead ?? []).map(plain);
    const at = cells.findIndex((cell, i) => ahead.includes(plain(cell)) && free(i) && filled(i) > 0);
    if (at < 0) continue;
    const own = header.indexOf(column);
    if (own >= 0) header[own] = undefined;
    header[at] = column;
  }
  for (const column of columns) {
    if (header.includes(column)) continue;
    const names = [column.name, column.label, ...(column.aliases ?? [])].map(plain);
    const candidates = cells
      .map((cell, at) => ({ at, rank: names.indexOf(plain(cell)) }))
      .filter(({ at, rank }) => rank >= 0 && free(at) && fits(column, at))
      .toSorted(
        (a, b) => Number(filled(b.at) > 0) - Number(filled(a.at) > 0) || a.rank - b.rank || filled(b.at) - filled(a.at),
      );
    const [best] = candidates;
    if (best) header[best.at] = column;
  }
  return header;
}

/** Returns the only format that fits all dates of these rows, and whether several formats fit with other results. */
export function datesIn(
  header: readonly (ImportColumn | undefined)[],
  rows: readonly (readonly string[])[],
): { readonly dates: DateForm | undefined; readonly differ: boolean } {
  const places = header.flatMap((each, at) => (each?.type === 'date' ? [at] : []));
  const cells = rows.flatMap((row) => places.map((at) => (row[at] ?? '').trim())).filter(Boolean);
  // What is no date in any format says nothing about the others.
  const readings = cells
    .map(readingsOf)
    .filter((each) => each.size > 0 && (new Set(each.values()).size > 1 || each.size < dateForms.length));
  const fitting = dateForms.filter((form) => readings.every((each) => each.has(form)));
  const differ = readings.some((each) => new Set(fitting.map((form) => each.get(form))).size > 1);
  return { dates: readings.length > 0 && !differ ? fitting[0] : undefined, differ };
}

/** `Email 1 - Value` and `email1value` are the same name. */
const plain = (name: string): string => name.toLowerCase().replaceAll(/[^\p{L}\p{N}]+/gu, '');
