// Writes the words of records into the index: only what differs from what it has.
import type { Context } from '../plugin/context.ts';
import type { Db } from '../database/db.ts';
import { yieldToOthers } from '../kit/yield.ts';
import { SearchText } from './entities.ts';
import type { Searchable } from './searchable.ts';
import { storedTexts, wordsOf, type Words } from './texts.ts';
import { addEndings, forgetWords } from './write-endings.ts';
import { inBatches, newPostings, writeHolders, type Postings } from './write-holders.ts';

/** Others get a turn after the words of so many records. */
const AT_ONCE = 100;

/**
 * Brings the words of these records of a table up to date, in a transaction. Those that are gone lose theirs.
 * @param again writes all words, also those that the index should have already
 */
export async function indexRecords(ctx: Context, of: Searchable, ids: readonly number[], again = false): Promise<void> {
  const { db } = ctx;
  const { name: type, primary } = of.table;
  const changes: Changes = { again, stale: [], fresh: [], postings: newPostings() };
  const found: AnyRow[] = await db.find(of.table, { [primary]: [...ids] });
  const rows = new Map(found.map((each) => [Number(each[primary]), each]));
  const stored = await readStored(db, type, ids);
  for (const some of inBatches(ids, AT_ONCE)) {
    const there = some.map((id) => rows.get(id)).filter((each) => each !== undefined);
    const words = await wordsOf(ctx, of, there);
    for (const id of some) note(changes, id, stored.get(id), words.get(id));
    if (ids.length > AT_ONCE) await yieldToOthers();
  }
  if (changes.stale.length > 0) await db.remove(SearchText, { type, record_id: changes.stale });
  await db.insertMany(
    SearchText,
    changes.fresh.map(({ record_id, texts }) => ({ type, record_id, ...texts })),
  );
  const { added, vanished } = await writeHolders(db, type, changes.postings);
  await addEndings(db, type, added);
  await forgetWords(db, type, vanished);
}

type AnyRow = Readonly<Record<string, unknown>>;
type Texts = ReturnType<typeof storedTexts>;

async function readStored(db: Db, type: string, ids: readonly number[]): Promise<ReadonlyMap<number, Texts>> {
  const rows = await db.find(SearchText, { type, record_id: [...ids] });
  return new Map(rows.map((each) => [each.record_id, each]));
}

interface Changes {
  readonly again: boolean;
  /** Records whose stored words go. */
  readonly stale: number[];
  readonly fresh: { readonly record_id: number; readonly texts: Texts }[];
  readonly postings: Postings;
}

function note(changes: Changes, id: number, before: Texts | undefined, words: Words = new Map()): void {
  const { again, stale, fresh, postings } = changes;
  const texts = storedTexts(words);
  if (!again && before && before.name === texts.name && before.main === texts.main && before.more === texts.more)
    return;
  if (before) stale.push(id);
  if (words.size > 0) fresh.push({ record_id: id, texts });
  const had = before && new Set(`${before.name}${before.main}${before.more}`.split(' '));
  had?.delete('');
  for (const word of words.keys()) if (!had?.delete(word) || again) postings.added(id, word);
  for (const word of had ?? []) postings.removed(id, word);
}
