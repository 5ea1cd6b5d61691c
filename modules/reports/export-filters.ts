// The filters of a report in its reader's words, for the header of documents.
import type { PdfFilter } from '@keelson/core/files';
import type { Wording } from '@keelson/core/plugin';
import type { ReportSource } from '@keelson/core/record';
import type { ReportField } from '@keelson/core/system';
import { labelOf } from '@keelson/words/labels';
import type { ReportFilter } from './engine/definition.ts';

type Operator = ReportFilter['operator'];
type Names = Readonly<Record<Operator, string>>;

/** A filter has up to 100 values; the header must leave room for rows. */
const LONGEST = 200;
const brief = (text: string) => (text.length > LONGEST ? `${text.slice(0, LONGEST).toWellFormed()}…` : text);

/** Returns the filters as `Status is not: Closed`; equality goes without saying. */
export function filtersInWords(source: ReportSource, filters: readonly ReportFilter[], { t }: Wording): PdfFilter[] {
  const numbers: Names = {
    eq: '',
    ne: t('is not'),
    contains: t('contains'),
    gt: t('is more than'),
    gte: t('is at least'),
    lt: t('is less than'),
    lte: t('is at most'),
    in: '',
    between: '',
    empty: '',
  };
  const dates: Names = {
    ...numbers,
    ne: t('is not on'),
    gt: t('is after'),
    gte: t('is on or after'),
    lt: t('is before'),
    lte: t('is on or before'),
  };
  const spoken = ({ type, labels }: ReportField, value: unknown): unknown => {
    if (typeof value === 'boolean') return value;
    const label = labels?.[Number(value)];
    if (label !== undefined) return t(label);
    return type === 'choice' && typeof value === 'string' ? t(labelOf(value)) : value;
  };
  return filters.flatMap(({ field: name, operator, value }): PdfFilter[] => {
    const field = source.fields.get(name);
    if (!field) return [];
    const isDate = field.type === 'date' || field.type === 'datetime';
    const label = [t(field.label), (isDate ? dates : numbers)[operator]].filter(Boolean).join(' ');
    if (operator === 'empty') return [{ label, value: value === false ? t('is not empty') : t('is empty') }];
    if (Array.isArray(value)) {
      const values = value.map((each) => String(spoken(field, each)));
      return [{ label, value: brief(values.join(operator === 'between' ? ' – ' : ', ')) }];
    }
    const kind = isDate && typeof value === 'string' ? (value.length === 10 ? 'day' : 'moment') : undefined;
    return [{ label, value: spoken(field, value), ...(kind && { kind }) }];
  });
}
