// A report definition being edited, its form in requests, and the choices in its reader's language.

/** Returns a message in the reader's language. */
type Translate = (message: string, values?: { name?: string; field?: string; label?: string }) => string;

export type Operator = 'eq' | 'ne' | 'contains' | 'gt' | 'gte' | 'lt' | 'lte' | 'in' | 'between' | 'empty';
/** A comparison offered for a condition; that a field is not empty is stored as `empty` with the value false. */
export type Comparison = Operator | 'not_empty';

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

type Value = string | number | boolean;

interface StoredFilter {
  readonly field: string;
  readonly operator: Operator;
  readonly value?: Value | (string | number)[] | null | undefined;
}

interface Sort {
  readonly field: string;
  readonly order: 'asc' | 'desc';
}

interface StoredQuery {
  readonly source: string;
  readonly fields: readonly string[];
  readonly filters: readonly { readonly field: string; readonly operator: string; readonly value?: unknown }[];
  readonly group_by: string | null;
  readonly aggregates: readonly { readonly function: string; readonly field?: string | undefined }[];
  readonly sort: readonly Sort[];
}

export interface FilterDraft {
  readonly key: number;
  readonly field: string;
  readonly operator: Comparison;
  /** As typed, with commas between several values, or the chosen values. */
  readonly value: string | readonly string[];
  /** What is stored, until it is edited. */
  readonly stored?: StoredFilter | undefined;
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
  /** Empty for the source's own order. */
  readonly sort: readonly Sort[];
}

export const emptyDraft = (source: string): QueryDraft => ({
  source,
  fields: [],
  filters: [],
  group_by: '',
  figures: [],
  sort: [],
});

/** Default columns of a new list: the first ones that are meaningful on their own. */
export const usualColumns = (known: readonly SourceField[]): string[] =>
  known
    .map(({ name }) => name)
    .filter((name) => !/_id$|^(?:description|notes)$/.test(name))
    .slice(0, 4);

const operatorNames = (t: Translate): Readonly<Record<Comparison, string>> => ({
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
  not_empty: t('is not empty'),
});
const dateNames = (t: Translate): Partial<Record<Comparison, string>> => ({
  eq: t('is on'),
  ne: t('is not on'),
  gt: t('is after'),
  gte: t('is on or after'),
  lt: t('is before'),
  lte: t('is on or before'),
});

export const isDate = (field: SourceField | undefined): boolean => field?.type === 'date' || field?.type === 'datetime';

/** Label of a comparison for a field: before and after for dates, less and greater for numbers. */
export const operatorName = (field: SourceField | undefined, operator: Comparison, t: Translate): string =>
  (isDate(field) ? dateNames(t)[operator] : undefined) ?? operatorNames(t)[operator];

/** Returns the definition for requests; incomplete conditions are left out. */
export function bodyOf(draft: QueryDraft, known: readonly SourceField[]) {
  const { source, fields, group_by } = draft;
  const grouped = group_by !== '';
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
    sort: [...draft.sort],
  };
}

/** Whether a comparison takes several values. */
export const isSeveral = (operator: Comparison): boolean => operator === 'in' || operator === 'between';

/** Returns the comparisons of a field. */
export const comparisonsOf = (field: SourceField | undefined): Comparison[] =>
  (field?.operators ?? []).flatMap((each) => (each === 'empty' ? [each, 'not_empty' as const] : [each]));

export const isNumeric = (field: SourceField | undefined): boolean =>
  field?.type === 'number' || field?.type === 'money';

/** Returns what changes in a condition if another comparison is chosen: its values stay the same. */
export function withOperator({ operator: before, value }: FilterDraft, operator: Comparison): Partial<FilterDraft> {
  if (isSeveral(before) === isSeveral(operator)) return { operator };
  return { operator, value: isSeveral(operator) ? [value].flat().filter(Boolean) : (valuesIn(value)[0] ?? '') };
}

/** Returns the several values of a condition. */
export const valuesIn = (value: FilterDraft['value']): string[] =>
  typeof value === 'string'
    ? value
        .split(',')
        .map((each) => each.trim())
        .filter(Boolean)
    : [...value];

/** Returns the condition for requests; undefined while it is incomplete. */
function filterOf(
  { field, operator, value, stored }: FilterDraft,
  known: SourceField | undefined,
): StoredFilter | undefined {
  if (stored) return stored;
  if (!known) return undefined;
  if (operator === 'empty' || operator === 'not_empty')
    return { field, operator: 'empty', value: operator === 'empty' };
  const converted = (text: string) => (isNumeric(known) ? Number(text) : text);
  if (isSeveral(operator)) {
    const texts = valuesIn(value);
    const complete = operator === 'between' ? texts.length === 2 : texts.length > 0;
    return complete ? { field, operator, value: texts.map(converted) } : undefined;
  }
  const text = [value].flat().join().trim();
  if (text === '') return undefined;
  return { field, operator, value: known.type === 'boolean' ? text === 'true' : converted(text) };
}

/** Returns a stored value in its typed form. */
const typedOf = (value: StoredFilter['value']): FilterDraft['value'] =>
  Array.isArray(value) ? value.map(String) : `${value ?? ''}`;

/** Returns the draft of a stored report. */
export function draftOf({ source, fields, filters, group_by, aggregates, sort }: StoredQuery): QueryDraft {
  return {
    source,
    fields,
    filters: filters.map((each, key) => {
      const stored = each as StoredFilter;
      const { field, operator, value } = stored;
      const comparison = operator === 'empty' && value === false ? 'not_empty' : operator;
      return { key, field, operator: comparison, value: typedOf(value), stored };
    }),
    group_by: group_by ?? '',
    figures: aggregates.map(({ function: how, field }, key) => ({
      key,
      function: how as FigureDraft['function'],
      field: field ?? '',
    })),
    sort,
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
