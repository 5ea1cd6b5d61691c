// The cells of a report as people read them.
import { month } from '../format.ts';
import { Value } from './value.tsx';

interface ReportColumn {
  readonly key: string;
  readonly type: string;
  readonly labels?: Readonly<Record<number, string>> | undefined;
}

/** Returns the name of a month such as `2026-11`; undefined for the values of other columns. */
export function monthName({ key, type }: ReportColumn, value: unknown): string | undefined {
  if (typeof value !== 'string' || !/^\d{4}-\d\d$/.test(value)) return undefined;
  return type === 'date' || key.endsWith(':month') ? month(value) : undefined;
}

export function ReportCell({ column, row }: { column: ReportColumn; row: Readonly<Record<string, unknown>> }) {
  const value = row[column.key];
  const text = column.labels?.[Number(value)] ?? monthName(column, value);
  return text ?? <Value name={column.key} value={value} row={row} />;
}
