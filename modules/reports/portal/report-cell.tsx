// The cells of a report as people read them.
import { locale, Value } from '@keelson/web';

interface ReportColumn {
  readonly key: string;
  readonly type: string;
  readonly labels?: Readonly<Record<number, string>> | undefined;
}

const monthForm = new Intl.DateTimeFormat(locale, { month: 'short', year: 'numeric', timeZone: 'UTC' });

export function ReportCell({ column, row }: { column: ReportColumn; row: Readonly<Record<string, unknown>> }) {
  const { key, type, labels } = column;
  const value = row[key];
  const label = labels?.[Number(value)];
  if (label !== undefined) return label;
  if (typeof value === 'string' && /^\d{4}-\d\d$/.test(value) && (type === 'date' || key.endsWith(':month')))
    return monthForm.format(new Date(value));
  return <Value name={key} value={value} row={row} />;
}
