// Writes the words of records into the index; only differences are written.
import type { Db } from '@keelson/database/db.ts';
import { yieldToOthers } from '@keelson/kit/yield.ts';
import { In } from 'typeorm';
import type { Context } from '../../plugin/context.ts';
import { SearchText } from '../entities.ts';
import { facetsIn, facetsOf, isFacet, storedFacets } from '../facets.ts';
import { isReferred, namesOf } from '../referred-names.ts';
import type { Searchable } from '../searchable.ts';
import { storedTexts, wordsOf, type Words } from '../texts.ts';
import { isMarked, partsOf } from '../word-parts.ts';
import { addEndings, forgetWords } from './write-endings.ts';
import { inBatches, newPostings, writeHolders, type Postings } from './write-holders.ts';

/** Yield after the words of this many records. */
const AT_ONCE = 100;

/**
 * Updates the indexed words of these records of a table. Call it in a transaction. Deleted records lose theirs.
 * @param again writes all words, including those that the index should already have
 */
export async function indexRecords(ctx: Context, of: Searchable, ids: readonly number[], again = false): Promise<void> {
  const { db } = ctx;
  const { name: type, primary } = of.table;
  const names = isReferred(ctx.app, of.table) ? newPostings() : undefined;
  const changes: Changes = { again, stale: [], fresh: [], postings: newPostings(), names };
  const found: AnyRow[] = await db.findBy(of.table, { [primary]: In([...ids]) });
  const rows = new Map(found.map((each) => [Number(each[primary]), each]));
  const stored = await readStored(db, type, ids);
  for (const some of inBatches(ids, AT_ONCE)) {
    const there = some.map((id) => rows.get(id)).filter((each) => each !== undefined);
    const words = await wordsOf(ctx, of, there);
    for (const id of some)
      note(changes, id, stored.get(id), { words: words.get(id), facets: facetsOf(of, rows.get(id) ?? {}) });
    if (ids.length > AT_ONCE) await yieldToOthers();
  }
  if (changes.stale.length > 0) await db.delete(SearchText, { type, record_id: In(changes.stale) });
  await db.insert(
    SearchText,
    changes.fresh.map(({ record_id, texts }) => ({ type, record_id, ...texts })),
  );
  await write(db, type, changes.postings);
  if (names) await write(db, namesOf(of.table), names);
}

async function write(db: Db, type: string, postings: Postings): Promise<void> {
  const { added, vanished } = await writeHolders(db, type, postings);
  await addEndings(db, type, added.filter(isWord));
  await forgetWords(db, type, vanished.filter(isWord));
}

const isWord = (entry: string) => !isMarked(entry) && !isFacet(entry);

type AnyRow = Readonly<Record<string, unknown>>;
type Texts = ReturnType<typeof storedTexts> & { readonly facets: string };

async function readStored(db: Db, type: string, ids: readonly number[]): Promise<ReadonlyMap<number, Texts>> {
  const rows = await db.findBy(SearchText, { type, record_id: In([...ids]) });
  return new Map(rows.map((each) => [each.record_id, each]));
}

interface Changes {
  readonly again: boolean;
  /** Records whose stored words are removed. */
  readonly stale: number[];
  readonly fresh: { readonly record_id: number; readonly texts: Texts }[];
  readonly postings: Postings;
  /** Words of the names alone, if other records are found by them. */
  readonly names: Postings | undefined;
}

interface Read {
  /** Undefined if the record is deleted. */
  readonly words: Words | undefined;
  readonly facets: readonly string[];
}

function note(changes: Changes, id: number, before: Texts | undefined, { words = new Map(), facets }: Read): void {
  const { again, stale, fresh } = changes;
  const has = words.size > 0 ? facets : [];
  const texts = { ...storedTexts(words), facets: storedFacets(has) };
  if (!again && before && isSame(before, texts)) return;
  if (before) stale.push(id);
  if (words.size > 0) fresh.push({ record_id: id, texts });
  post(changes.postings, id, { had: before ? entriesOf(before) : [], has: entriesOf(texts), again });
  if (changes.names) post(changes.names, id, { had: before ? namesIn(before) : [], has: namesIn(texts), again });
}

/** Returns the index entries of a record. */
function entriesOf({ name, main, more, facets }: Texts): string[] {
  return [...withParts(wordsOfText(`${name}${main}${more}`)), ...facetsIn(facets)];
}

function namesIn({ name }: Texts): string[] {
  return withParts(wordsOfText(name));
}

function isSame(a: Texts, b: Texts): boolean {
  return a.name === b.name && a.main === b.main && a.more === b.more && a.facets === b.facets;
}

interface Difference {
  readonly had: readonly string[];
  readonly has: readonly string[];
  readonly again: boolean;
}

function post(postings: Postings, id: number, { had, has, again }: Difference): void {
  const gone = new Set(had);
  for (const each of has) if (!gone.delete(each) || again) postings.added(id, each);
  for (const each of gone) postings.removed(id, each);
}

/** Adds the parts of words with digits. */
function withParts(words: readonly string[]): string[] {
  return [...new Set(words.flatMap((each) => [each, ...partsOf(each)]))];
}

function wordsOfText(stored: string): string[] {
  return stored.split(' ').filter((each) => each !== '');
}
