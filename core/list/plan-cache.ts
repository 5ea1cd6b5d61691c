// Caches page statements. Planning a page and composing its statement costs as much as parsing its rows, so both happen
// once per request shape (the same filters and sort), with placeholders for the values.
import type { Db } from '../database/db.ts';
import type { Dialect } from '../database/table.ts';
import { memoize } from '../kit/memoize.ts';
import { straightIndex } from './index-range.ts';
import { isNear } from './list-plan.ts';
import { asPage, directSql, isDirect, type PageRows } from './list-read.ts';
import { parseRequest } from './list-query.ts';
import { is, type Equals, type Filter, type List, type ListRequest, type PageRequest } from './list.ts';

/** A statement, and where it takes the values of a request. */
interface CachedPlan {
  readonly text: string;
  readonly params: readonly Param[];
}

/** Maximum cached request shapes per list. */
const MOST = 200;

const plansOf = memoize((_list: List) => new Map<string, CachedPlan | null>());

/** Reads a page near the start, filtered by single values, that an index has in order. Undefined for other pages. */
export async function readPlanned(
  db: Db,
  list: List,
  request: PageRequest,
  offset: number,
): Promise<PageRows | undefined> {
  const { where, sort, direction, size } = request;
  if (!where.every(isPlain) || !isNear(offset, size) || !isDirect({ offset })) return undefined;
  const plans = plansOf(list);
  const kind = `${db.dialect} ${direction} ${sort} ${where.map(({ column }) => column).join()}`;
  let plan = plans.get(kind);
  if (plan === undefined) {
    if (plans.size >= MOST) plans.clear();
    plan = makePlan(db.dialect, list, { where, sort, direction });
    plans.set(kind, plan);
  }
  if (!plan) return undefined;
  const values = [...where.map(({ value }) => value), size, offset];
  return asPage(list, await db.query({ text: plan.text, params: plan.params.map((each) => each(values)) }));
}

/** Picks a parameter from the request's values; the last two are limit and offset. */
type Param = (values: readonly unknown[]) => unknown;

interface PlainFilter extends Equals {
  readonly value: string | number;
}

interface PlainRequest extends ListRequest {
  readonly where: readonly PlainFilter[];
}

function isPlain(filter: Filter): filter is PlainFilter {
  return 'column' in filter && filter.value !== null && typeof filter.value !== 'object';
}

function makePlan(dialect: Dialect, list: List, request: PlainRequest): CachedPlan | null {
  // Placeholders that no request can contain. Their positions in the parameters are the positions of the values.
  const placeholders = request.where.map((_, i) => `\u0000${i}`);
  const query = parseRequest(list, {
    ...request,
    where: request.where.map(({ column }, i) => is(column, placeholders[i] ?? '')),
  });
  const index = straightIndex(query);
  // If a column is filtered twice, one parameter would stand for two values.
  if (!index || query.known.size < placeholders.length) return null;
  const places: unknown[] = [...placeholders, LIMIT, OFFSET];
  const total = query.counted ? 'along' : 'after';
  const { text, params } = directSql(dialect, { query, index, limit: LIMIT, offset: OFFSET }, total);
  return {
    text,
    params: params.map((each): Param => {
      const place = places.indexOf(each);
      return place < 0 ? () => each : (values) => values[place];
    }),
  };
}

/** Placeholders for limit and offset. */
const LIMIT = -1;
const OFFSET = -2;
