// A report definition being edited, its form in requests, and the choices in its reader's language.

/** Returns a message in the reader's language. */
type Translate = (message: string, values?: { name?: string; field?: string; label?: string }) => string;

export type Operator = 'eq' | 'ne' | 'contains' | 'gt' | 'gte' | 'lt' | 'lte' | 'in' | 'between' | 'empty';

/** A field of a source, as `GET /reports/fields.php` returns it. */
export interface SourceField {
  readonly name: string;
  readonly label: string;
  readonly type: string;
  readonly filterable: boolean;
  readonly sortable: boolean;
  readonly groupable: boolean;
  readonly summable: boolean;
  readonly periods: readonly ('day' | 'week' | 'month' | 'quarter')[];
  readonly operators: readonly Operator[];
  readonly choices: readonly string[] | null;
  readonly labels: Readonly<Record<number, string>> | null;
}

interface StoredQuery {
  readonly source: string;
  readonly fields: readonly string[];
  readonly filters: readonly { readonly field: string; readonly operator: string; readonly value?: unknown }[];
  readonly group_by: string | null;
  readonly aggregates: readonly { readonly function: string; readonly field?: string | undefined }[];
  readonly sort: readonly { readonly field: string; readonly order: string }[];
}

export interface FilterDraft {
  readonly key: number;
  readonly field: string;
  readonly operator: Operator;
  /** As typed; multiple values are separated by commas. */
  readonly value: string;
}

export interface FigureDraft {
  readonly key: number;
  readonly function: 'count' | 'sum' | 'average';
  readonly field: string;
}

export interface QueryDraft {
  readonly source: string;
  /** The columns of a list, in order; none shows all. */
  readonly fields: readonly string[];
  readonly filters: readonly FilterDraft[];
  /** `status` or `created_at:month`; empty for a list. */
  readonly group_by: string;
  readonly figures: readonly FigureDraft[];
  /** `created_at desc`; empty for the source's own order. */
  readonly sort: string;
}

export const emptyDraft = (source: string): QueryDraft => ({
  source,
  fields: [],
  filters: [],
  group_by: '',
  figures: [],
  sort: '',
});

/** Default columns of a new list: the first ones that are meaningful on their own. */
export const usualColumns = (known: readonly SourceField[]): string[] =>
  known
    .map(({ name }) => name)
    .filter((name) => !/_id$|^(?:description|notes)$/.test(name))
    .slice(0, 4);

const operatorNames = (t: Translate): Readonly<Record<Operator, string>> => ({
  eq: t('is'),
  ne: t('is not'),
  contains: t('contains'),
  gt: t('is more than'),
  gte: t('is at least'),
  lt: t('is less than'),
  lte: t('is at most'),
  in: t('is one of'),
  between: t('is between'),
  empty: t('is empty'),
});
const dateNames = (t: Translate): Partial<Record<Operator, string>> => ({
  eq: t('is on'),
  ne: t('is not on'),
  gt: t('is after'),
  gte: t('is on or after'),
  lt: t('is before'),
  lte: t('is on or before'),
});

export const isDate = (field: SourceField | undefined): boolean => field?.type === 'date' || field?.type === 'datetime';

/** Label of a comparison for a field: before and after for dates, less and greater for numbers. */
export const operatorName = (field: SourceField | undefined, operator: Operator, t: Translate): string =>
  (isDate(field) ? dateNames(t)[operator] : undefined) ?? operatorNames(t)[operator];

/** Returns the definition for requests; incomplete filters are left out. */
export function bodyOf(draft: QueryDraft, known: readonly SourceField[]) {
  const { source, fields, group_by } = draft;
  const grouped = group_by !== '';
  const [field = '', order = 'asc'] = draft.sort.split(' ');
  const figures = draft.figures.filter((each) => each.function === 'count' || each.field !== '');
  return {
    source,
    fields: grouped ? [] : [...fields],
    filters: draft.filters.flatMap(
      (each) =>
        filterOf(
          each,
          known.find(({ name }) => name === each.field),
        ) ?? [],
    ),
    group_by: grouped ? group_by : null,
    aggregates: grouped
      ? figures.map((each) => ({ function: each.function, ...(each.function !== 'count' && { field: each.field }) }))
      : [],
    sort: field === '' ? [] : [{ field, order: order === 'desc' ? ('desc' as const) : ('asc' as const) }],
  };
}

type Value = string | number | boolean;

function filterOf({ field, operator, value }: FilterDraft, known: SourceField | undefined) {
  if (!known) return undefined;
  if (operator === 'empty') return { field, operator };
  const texts = value
    .split(',')
    .map((each) => each.trim())
    .filter(Boolean);
  if (texts.length === 0 || (operator === 'between' && texts.length !== 2)) return undefined;
  const typed = (text: string): Value =>
    known.type === 'boolean' ? text === 'true' : known.type === 'number' ? Number(text) : text;
  if (operator === 'in' || operator === 'between')
    return { field, operator, value: texts.map((each) => (known.type === 'number' ? Number(each) : each)) };
  return { field, operator, value: known.type === 'text' ? value.trim() : typed(texts[0] ?? '') };
}

/** Returns a stored value in its typed form. */
function typedOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(typedOf).join(', ');
  return typeof value === 'string'
    ? value
    : typeof value === 'number' || typeof value === 'boolean'
      ? String(value)
      : '';
}

/** Returns the draft of a stored report. */
export function draftOf({ source, fields, filters, group_by, aggregates, sort }: StoredQuery): QueryDraft {
  return {
    source,
    fields,
    filters: filters.map(({ field, operator, value }, key) => ({
      key,
      field,
      operator: operator as Operator,
      value: typedOf(value),
    })),
    group_by: group_by ?? '',
    figures: aggregates.map(({ function: how, field }, key) => ({
      key,
      function: how as FigureDraft['function'],
      field: field ?? '',
    })),
    sort: sort[0] ? `${sort[0].field} ${sort[0].order}` : '',
  };
}

/** Returns the sort choices of a draft: sortable fields of a list, or the columns of its groups. */
export function sortsOf({ group_by, figures }: QueryDraft, known: readonly SourceField[], t: Translate) {
  const both = (value: string, name: string) => [
    { value: `${value} asc`, label: t('{name}, ascending', { name }) },
    { value: `${value} desc`, label: t('{name}, descending', { name }) },
  ];
  if (group_by === '') return known.filter((each) => each.sortable).flatMap(({ name, label }) => both(name, label));
  const labelOf = (name: string) => known.find((each) => each.name === name)?.label ?? name;
  const columns = figures.length === 0 ? [{ function: 'count' as const, field: '' }] : figures;
  const names = {
    count: () => t('Count'),
    sum: (field: string) => t('Sum of {field}', { field }),
    average: (field: string) => t('Average of {field}', { field }),
  };
  return [
    ...both(group_by, labelOf(group_by.split(':')[0] ?? '')),
    ...columns
      .filter((each) => each.function === 'count' || each.field !== '')
      .flatMap(({ function: how, field }) =>
        both(how === 'count' ? how : `${how}_${field}`, names[how](labelOf(field))),
      ),
  ];
}

/** Returns the choices of what to group by: fields, and periods of dates. */
export function groupsOf(known: readonly SourceField[], t: Translate) {
  const by = (label: string) => ({
    day: t('{label} by day', { label }),
    week: t('{label} by week', { label }),
    month: t('{label} by month', { label }),
    quarter: t('{label} by quarter', { label }),
  });
  return known.flatMap(({ name, label, groupable, periods }) => [
    ...(groupable ? [{ value: name, label }] : []),
    ...periods.map((period) => ({ value: `${name}:${period}`, label: by(label)[period] })),
  ]);
}
