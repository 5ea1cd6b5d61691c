// What the fields of a record hold, and how a condition may compare them.
import { pickerOf, useItem, useSession, t, type Data, type Session } from '@keelson/web';

/** `other` is a list or an object, which can only be empty or change. */
type Kind = 'text' | 'choice' | 'record' | 'flag' | 'number' | 'moment' | 'day' | 'other';

export interface Comparable {
  readonly name: string;
  readonly label: string;
  readonly kind: Kind;
  /** The values of a choice. */
  readonly choices: readonly { readonly value: string | number; readonly label: string }[];
  /** The type of a record: `company`. */
  readonly type: string;
}

/** Comparisons as people choose them; `not_empty` and `not_changed` are stored as the opposite with the value false. */
const comparisons = {
  eq: t('is'),
  ne: t('is not'),
  in: t('is one of'),
  contains: t('contains'),
  gt: t('is greater than'),
  lt: t('is less than'),
  empty: t('is empty'),
  not_empty: t('is not empty'),
  changed: t('has changed'),
  not_changed: t('has not changed'),
} as const;
export type Comparison = keyof typeof comparisons;

const values: readonly Comparison[] = ['eq', 'ne', 'in'];
const ranges: readonly Comparison[] = ['gt', 'lt'];
const always: readonly Comparison[] = ['empty', 'not_empty', 'changed', 'not_changed'];
const ofKind: Readonly<Record<Kind, readonly Comparison[]>> = {
  text: [...values, 'contains', ...always],
  choice: [...values, ...always],
  record: [...values, ...always],
  flag: ['eq', 'changed', 'not_changed'],
  number: [...values, ...ranges, ...always],
  moment: [...ranges, ...always],
  day: [...values, ...always],
  other: always,
};

/** Names a comparison: a point in time is before or after another. */
export function comparisonName(comparison: Comparison, kind: Kind): string {
  if (kind === 'moment' && comparison === 'gt') return t('is after');
  return kind === 'moment' && comparison === 'lt' ? t('is before') : comparisons[comparison];
}

/** Returns the comparisons to choose from, with the present one: others may have been set by a program. */
export function comparisonsOf(kind: Kind, present: Comparison, { changes }: { readonly changes: boolean }) {
  const fitting = ofKind[kind].filter((each) => changes || !each.endsWith('changed'));
  return fitting.includes(present) ? fitting : [present, ...fitting];
}

/** The names of ticket priorities, by number less one. */
export const priorityNames = [t('Critical'), t('High'), t('Normal'), t('Low'), t('Planning')] as const;

/** Returns the titles of the events that start workflows, by name. */
export function useEventTitles(): ReadonlyMap<string, string> {
  const { data } = useItem('GET /workflows.php?action=events');
  return new Map((data?.events ?? []).map((each: { name: string; title: string }) => [each.name, each.title]));
}

/** Returns the fields of an event's record, or of tickets without one; undefined while they load. */
export function useComparable(event: string | undefined, { enabled }: { readonly enabled: boolean }) {
  const { records } = useSession();
  const { data } = useItem('GET /workflows.php?action=fields', event === undefined ? {} : { event }, { enabled });
  if (!data) return undefined;
  const all = data.fields.map((each: OfferedField) => comparable(records, each));
  const picked = new Set(all.filter(({ kind }) => kind === 'record').map(({ name }) => stemOf(name)));
  return all.filter(({ name, kind }) => kind === 'record' || !name.endsWith('_name') || !picked.has(stemOf(name)));
}

type OfferedField = Data<'GET /workflows.php?action=fields'>['fields'][number];

/** Returns `company` for `company_number` and `company_name`, which mean the same record. */
const stemOf = (name: string): string => name.replace(/_(number|id|to|name)$/, '');

function comparable(records: Session['records'], { name, title, choices, ...field }: OfferedField): Comparable {
  const picker = pickerOf(records, name, field);
  const kind = picker ? 'record' : choices.length > 0 ? 'choice' : kindOf(field);
  return {
    name,
    label: title,
    kind,
    choices: choices.map(({ value, title: label }) => ({ value, label })),
    type: picker?.type ?? '',
  };
}

function kindOf({ type, format }: Pick<OfferedField, 'type' | 'format'>): Kind {
  if (type === 'boolean') return 'flag';
  if (type === 'integer' || type === 'number') return 'number';
  if (type !== 'string') return 'other';
  return format === 'date-time' ? 'moment' : format === 'date' ? 'day' : 'text';
}
