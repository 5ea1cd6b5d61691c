// Commits a transaction: appended rows and last statements go with the commit, in one round trip where possible.
import type { Sql } from './sql.ts';
import type { Statements } from './statement.ts';
import { guarded, type Unit } from './transaction-unit.ts';

/**
 * Above this size a commit is sent as several statements. The server limits the packet size, and frequent statements
 * are prepared separately.
 */
const MOST_CHARACTERS = 2_000_000;

/** Sends the remaining statements and commits. */
export async function commit(unit: Unit, statements: Statements): Promise<void> {
  unit.ended = true;
  const appended = [...unit.appended].flatMap(([table, rows]) => statements.insert(table, rows));
  const pieces = [...unit.deferred, ...appended, ...unit.last];
  if (pieces.length === 0 && !unit.open) return;
  const small = !pieces.some((each) => each.often) && sizeOf(pieces) < MOST_CHARACTERS;
  if (unit.engine.mariadb && small) return commitWith(unit, pieces);
  if (!unit.begun) await guarded(unit, () => unit.link.begin());
  unit.open = true;
  for (const each of pieces) await guarded(unit, () => unit.link.execute(each));
  await guarded(unit, () => unit.link.commit());
}

// Does the same in one round trip: a failing statement ends the block before COMMIT.
async function commitWith(unit: Unit, pieces: readonly Sql[]): Promise<void> {
  if (pieces.length === 0) return guarded(unit, () => unit.link.commit());
  const start = unit.begun ? '' : 'START TRANSACTION; ';
  unit.open = true;
  await unit.begun;
  const text = `BEGIN NOT ATOMIC ${start}${pieces.map((each) => `${each.text}; `).join('')}COMMIT; END`;
  await guarded(unit, () => unit.link.execute({ text, params: pieces.flatMap((each) => each.params) }));
}

function sizeOf(pieces: readonly Sql[]): number {
  let size = 0;
  for (const each of pieces) {
    size += each.text.length;
    for (const value of each.params) size += typeof value === 'string' ? value.length : 8;
  }
  return size;
}
