// Finds the newest records that have common words as whole words.
import { joined, sql, type Sql } from '@keelson/database/statement/sql.ts';
import type { Context } from '../../plugin/context.ts';
import { idsIn } from '../id-list.ts';
import { NONE, type Asked, type NewestRows, type Search } from './match.ts';
import type { Planned } from './search-plan.ts';
import { limited } from './vocabulary.ts';

/** Maximum blocks of record ids to read. */
const MOST_BLOCKS = 4;

/** For each search of common words, returns some records with its longest word whole. One statement at most. */
export async function readWhole<S extends Planned>(
  ctx: Context,
  searches: readonly S[],
  most: number,
): Promise<ReadonlyMap<S, readonly number[]>> {
  const common = searches.filter(({ rarest }) => rarest === undefined);
  const places = common.map((search) => ({ type: search.of.table.name, asked: longest(search) }));
  const found = await readPlaces(ctx, places, most);
  return new Map(common.map((search, i) => [search, found[i] ?? []]));
}

/** Returns for each word the records of a table that have it as a whole word, newest first. One statement at most. */
export async function readNewest(
  ctx: Context,
  type: string,
  words: readonly Asked[],
  most: number,
): Promise<ReadonlyMap<Asked, readonly number[]>> {
  const found = await readPlaces(
    ctx,
    words.map((asked) => ({ type, asked })),
    most,
  );
  return new Map(words.map((each, i) => [each, found[i] ?? []]));
}

/** Records per search that have one of its codes; more only mention it. */
const MOST_HAVING = 50;

/** Returns for each search the records that have one of these words as a whole word, newest first. One statement. */
export async function readHaving(
  ctx: Context,
  searches: readonly Search[],
  words: readonly string[],
): Promise<number[][]> {
  const asked = words.map((word): Asked => ({ word, held: new Map() }));
  const places = searches.flatMap(({ of }) => asked.map((each) => ({ type: of.table.name, asked: each })));
  const found = places.length === 0 ? [] : await readPlaces(ctx, places, MOST_HAVING);
  return searches.map(({ of, pending }, i) => {
    const now = [...(pending.get(of.table.name) ?? [])].filter(([, its]) => words.some((each) => its.has(each)));
    return [...new Set([...now.map(([id]) => id), ...found.slice(i * words.length, (i + 1) * words.length).flat()])];
  });
}

interface Place {
  readonly type: string;
  readonly asked: Asked;
}

async function readPlaces(ctx: Context, places: readonly Place[], most: number): Promise<number[][]> {
  const known = places.map(knownOf);
  const reading = places.flatMap((place, i) => (known[i] ? [] : [newestOf(ctx, place, i)]));
  const rows = reading.length === 0 ? [] : await ctx.db.query<WholeRow>(joined(reading, ' UNION ALL '));
  return places.map((_, i) => {
    const own = known[i] ?? rows.filter(({ which }) => Number(which) === i);
    const ids: number[] = [];
    for (const { block, ids: its } of own.toSorted((a, b) => Number(b.block) - Number(a.block)))
      if (ids.length < most) ids.push(...idsIn(Number(block), its).reverse());
    return ids.slice(0, most);
  });
}

function newestOf({ db }: Context, { type, asked }: Place, which: number): Sql {
  return limited(
    db.dialect,
    sql`SELECT ${which} AS which, block, ids FROM search_word
      WHERE type = ${type} AND word = ${asked.word} ORDER BY block DESC LIMIT ${MOST_BLOCKS}`,
  );
}

interface WholeRow {
  readonly which: unknown;
  readonly block: unknown;
  readonly ids: string;
}

/** Returns the rows of a word that no other word contains, if already read with the words (counts.ts). */
function knownOf({ type, asked }: Place): NewestRows['rows'] | undefined {
  const { entries = [], newest } = asked.held.get(type) ?? NONE;
  return entries[0] === asked.word ? newest?.rows.slice(0, MOST_BLOCKS) : undefined;
}

function longest({ words: [first, ...others] }: Search): Asked {
  if (!first) throw new Error('A search needs at least one word');
  return others.reduce((best, each) => (each.word.length > best.word.length ? each : best), first);
}
