// A report definition while it is edited, and what requests carry of it.

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
  readonly periods: readonly string[];
  readonly operators: readonly Operator[];
  readonly choices: readonly string[] | null;
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
  /** As typed; several values are separated by commas. */
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

/** The columns that a new list starts with: the first that say something by themselves. */
export const usualColumns = (known: readonly SourceField[]): string[] =>
  known
    .map(({ name }) => name)
    .filter((name) => !/_id$|^(?:description|notes)$/.test(name))
    .slice(0, 4);

export const operatorNames: Readonly<Record<Operator, string>> = {
  eq: 'is',
  ne: 'is not',
  contains: 'contains',
  gt: 'is more than',
  gte: 'is at least',
  lt: 'is less than',
  lte: 'is at most',
  in: 'is one of',
  between: 'is between',
  empty: 'is empty',
};
const dateNames: Partial<Record<Operator, string>> = {
  eq: 'is on',
  ne: 'is not on',
  gt: 'is after',
  gte: 'is on or after',
  lt: 'is before',
  lte: 'is on or before',
};

export const isDate = (field: SourceField | undefined): boolean => field?.type === 'date' || field?.type === 'datetime';

/** Names a comparison for a field: dates are before and after, numbers less and more. */
export const operatorName = (field: SourceField | undefined, operator: Operator): string =>
  (isDate(field) ? dateNames[operator] : undefined) ?? operatorNames[operator];

/** Returns the definition as requests carry it; incomplete filters are left out. */
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

/** Returns a stored value as it is typed. */
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
export function sortsOf({ group_by, figures }: QueryDraft, known: readonly SourceField[]) {
  const both = (name: string, label: string) => [
    { value: `${name} asc`, label: `${label}, ascending` },
    { value: `${name} desc`, label: `${label}, descending` },
  ];
  if (group_by === '') return known.filter((each) => each.sortable).flatMap(({ name, label }) => both(name, label));
  const labelOf = (name: string) => known.find((each) => each.name === name)?.label ?? name;
  const columns = figures.length === 0 ? [{ function: 'count' as const, field: '' }] : figures;
  return [
    ...both(group_by, labelOf(group_by.split(':')[0] ?? '')),
    ...columns
      .filter((each) => each.function === 'count' || each.field !== '')
      .flatMap(({ function: how, field }) =>
        how === 'count' ? both('count', 'Count') : both(`${how}_${field}`, `${figureNames[how]} of ${labelOf(field)}`),
      ),
  ];
}

export const figureNames = { count: 'Count', sum: 'Sum', average: 'Average' } as const;
