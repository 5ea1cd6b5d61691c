// Pages like many before: the same filters and sort, other values. Planning a page and putting its statement together
// costs as much as parsing its rows, so both are done once for each kind of request, with values that stand for others.
import type { Db } from '../database/db.ts';
import type { Dialect } from '../database/table.ts';
import { memoize } from '../kit/memoize.ts';
import { straightIndex } from './index-range.ts';
import { isNear } from './list-plan.ts';
import { asPage, directSql, isDirect, type PageRows } from './list-read.ts';
import { parseRequest } from './list-query.ts';
import { is, type Equals, type Filter, type List, type ListRequest, type PageRequest } from './list.ts';

/** A statement in which the values of one request after the other are put. */
interface Form {
  readonly text: string;
  readonly params: readonly Param[];
}

/** Kinds of requests remembered for a list. */
const MOST = 200;

const formsOf = memoize((_list: List) => new Map<string, Form | null>());

/**
 * The page when it is near the start and filtered by single values only; undefined when it is not, or no index has it in
 * order.
 */
export async function readPlanned(
  db: Db,
  list: List,
  request: PageRequest,
  offset: number,
): Promise<PageRows | undefined> {
  const { where, sort, direction, size } = request;
  if (!where.every(isPlain) || !isNear(offset, size) || !isDirect({ offset })) return undefined;
  const known = formsOf(list);
  const kind = `${db.dialect} ${direction} ${sort} ${where.map(({ column }) => column).join()}`;
  let form = known.get(kind);
  if (form === undefined) {
    if (known.size >= MOST) known.clear();
    form = makeForm(db.dialect, list, { where, sort, direction });
    known.set(kind, form);
  }
  if (!form) return undefined;
  const values = [...where.map(({ value }) => value), size, offset];
  return asPage(list, await db.query({ text: form.text, params: form.params.map((each) => each(values)) }));
}

/** Takes from the request's values, limit and offset last, what belongs in one place of the statement. */
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

function makeForm(dialect: Dialect, list: List, request: PlainRequest): Form | null {
  // Texts that no program writes, and numbers that no limit and no offset has: the statement shows where they went.
  const stand = request.where.map((_, i) => `\u0000${i}`);
  const asked = parseRequest(list, {
    ...request,
    where: request.where.map(({ column }, i) => is(column, stand[i] ?? '')),
  });
  const index = straightIndex(asked);
  // A column that is filtered twice has one place for two values.
  if (!index || asked.known.size < stand.length) return null;
  const places: unknown[] = [...stand, LIMIT, OFFSET];
  const total = asked.counted ? 'along' : 'after';
  const { text, params } = directSql(dialect, { asked, index, limit: LIMIT, offset: OFFSET }, total);
  return {
    text,
    params: params.map((each): Param => {
      const place = places.indexOf(each);
      return place < 0 ? () => each : (values) => values[place];
    }),
  };
}

const LIMIT = -1;
const OFFSET = -2;
