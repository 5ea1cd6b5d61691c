// Writes which records have which words.
import type { Db } from '@keelson/database/db.ts';
import { joined, listed, sql, type Sql } from '@keelson/database/statement/sql.ts';
import { In } from 'typeorm';
import { SearchWord } from '../entities.ts';
import { blockOf, changeIds } from '../id-list.ts';

/** Words to look up per statement. */
const MOST_LISTED = 2000;
/** Rows per statement: each has up to 684 characters of ids. */
const MOST_ROWS = 1000;

/** Collects which records gained and which lost a word. */
export interface Postings {
  added(id: number, word: string): void;
  removed(id: number, word: string): void;
  /** In primary key order, the fastest for databases to store. */
  all(): Change[];
}

interface Change {
  readonly word: string;
  readonly block: number;
  readonly added: number[];
  readonly removed: number[];
}

export function newPostings(): Postings {
  const blocks = new Map<number, Map<string, Change>>();
  const change = (id: number, word: string): Change => {
    const block = blockOf(id);
    const words = blocks.get(block) ?? new Map<string, Change>();
    if (words.size === 0) blocks.set(block, words);
    const known = words.get(word);
    if (known) return known;
    const made: Change = { word, block, added: [], removed: [] };
    words.set(word, made);
    return made;
  };
  return {
    added: (id, word) => void change(id, word).added.push(id),
    removed: (id, word) => void change(id, word).removed.push(id),
    all: () =>
      [...blocks.values()]
        .flatMap((words) => [...words.values()])
        .sort((a, b) => (a.word < b.word ? -1 : a.word > b.word ? 1 : a.block - b.block)),
  };
}

export interface Words {
  readonly added: readonly string[];
  /** Words that may no longer occur in any record. */
  readonly vanished: readonly string[];
}

/** Stores the changes, one row per word and block. */
export async function writeHolders(db: Db, type: string, postings: Postings): Promise<Words> {
  const vanished: string[] = [];
  const changes = postings.all();
  for (const batch of inBatches(changes, MOST_LISTED)) {
    const stored = await readStored(db, type, batch);
    const rows = batch.map(({ word, block, added, removed }) => {
      const before = stored.get(placeOf(word, block)) ?? '';
      return { type, word, block, ...changeIds(before, added, removed) };
    });
    for (const few of inBatches(
      rows.filter(({ held }) => held > 0),
      MOST_ROWS,
    ))
      await store(db, few);
    const empty = rows.filter(({ held }) => held === 0);
    for (const [block, its] of Map.groupBy(empty, (each) => each.block))
      await db.delete(SearchWord, { type, block, word: In(its.map(({ word }) => word)) });
    vanished.push(...empty.map(({ word }) => word));
  }
  const added = changes.filter((each) => each.added.length > 0).map(({ word }) => word);
  return { added: [...new Set(added)], vanished: [...new Set(vanished)] };
}

function placeOf(word: string, block: number): string {
  return `${word} ${block}`;
}

async function readStored(db: Db, type: string, changes: readonly Change[]): Promise<ReadonlyMap<string, string>> {
  const words = [...new Set(changes.map(({ word }) => word))];
  const blocks = [...new Set(changes.map(({ block }) => block))];
  const rows = await db.query<{ word: string; block: number; ids: string }>(
    sql`SELECT word, block, ids FROM search_word WHERE type = ${type} AND word IN ${listed(words)}
      AND block IN ${listed(blocks)}`,
  );
  return new Map(rows.map(({ word, block, ids }) => [placeOf(word, Number(block)), ids]));
}

type Row = (typeof SearchWord)['Row'];

async function store(db: Db, rows: readonly Row[]): Promise<void> {
  const values: Sql[] = rows.map(
    ({ type, word, block, held, ids }) => sql`(${type}, ${word}, ${block}, ${held}, ${ids})`,
  );
  const known =
    db.dialect === 'mysql'
      ? sql`ON DUPLICATE KEY UPDATE held = VALUES(held), ids = VALUES(ids)`
      : sql`ON CONFLICT (type, word, block) DO UPDATE SET held = excluded.held, ids = excluded.ids`;
  await db.run(sql`INSERT INTO search_word (type, word, block, held, ids) VALUES ${joined(values, ', ')} ${known}`);
}

export function* inBatches<T>(all: readonly T[], size: number): Generator<T[]> {
  for (let from = 0; from < all.length; from += size) yield all.slice(from, from + size);
}
