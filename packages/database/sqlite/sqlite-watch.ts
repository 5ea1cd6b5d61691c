// Aborts long SQLite reads. SQLite runs in this process and blocks all other requests while it reads. Node cannot
// interrupt it, but our SQL functions run once per row and can abort the statement.
import type { DatabaseSync } from 'node:sqlite';
import { folded } from '@keelson/kit/normal.ts';
import { Interrupted } from '../database-error.ts';
import type { Dialect } from '../schema/column.ts';
import { sql, type Sql } from '../statement/sql.ts';

/** Maximum CPU time that one statement may use to read rows without yielding. */
const MOST_MS = 90;
/**
 * Maximum elapsed time beyond that for a statement that has CPU time left, because its thread may have waited for a CPU.
 * A statement gets it even if its thread was suspended for longer.
 */
const MOST_WAIT_MS = 400;
/** Texts of at least this length stay folded for the next search term. */
const LONG = 500;
const KEPT = 4;

/** What a watch measures with, in milliseconds. */
interface WatchClock {
  now(): number;
  /** The CPU time of this thread. */
  worked(): number;
}

const realClock: WatchClock = { now: () => performance.now(), worked: threadWorkedMs };

export interface Watch {
  /** Call when a statement begins. */
  begin(): void;
  /** Waits for `work` in the middle of a statement, without counting its time. */
  pause(work: () => Promise<void>): Promise<void>;
  /** Returns the milliseconds spent on the statement so far. */
  spentMs(): number;
  /** Returns the CPU time spent on the statement so far, in milliseconds. */
  workedMs(): number;
}

/**
 * Adds SQL functions: `in_time(column)` is always true and checks the time limit; `ms_worked(count)` returns the
 * statement's CPU time so far, in milliseconds; `LIKE … ESCAPE` ignores case and accents (P-24), like MariaDB's collation.
 */
export function watchStatements(database: DatabaseSync, clock = realClock): Watch {
  let [begun, workedBefore, turnBefore] = [0, 0, 0];
  let end = Infinity;
  let latest = Infinity;
  const spentMs = () => clock.now() - begun;
  const workedMs = () => clock.worked() - workedBefore;
  const check = () => {
    const now = clock.now();
    if (now <= end) return;
    const left = MOST_MS - (clock.worked() - turnBefore);
    latest = Math.min(latest, now + MOST_WAIT_MS);
    if (left <= 0 || now > latest) throw new Interrupted(`SQLite read for ${Math.round(now - begun)} ms`);
    end = now + left;
  };
  const beginTurn = (now: number, worked: number) => {
    turnBefore = worked;
    end = now + MOST_MS;
    latest = Infinity;
  };
  const texts = recentlyFolded();
  const patterns = new Map<string, Like>();
  database.function('in_time', (_column) => {
    check();
    return 1;
  });
  database.function('ms_worked', (_rows) => workedMs());
  // SQLite derives the argument count from the function's parameters.
  database.function('like', { deterministic: true }, (pattern, text, escape) => {
    check();
    if (pattern === null || text === null) return null;
    const like = patterns.get(String(pattern)) ?? compile(String(pattern), String(escape));
    if (patterns.size > 100) patterns.clear();
    patterns.set(String(pattern), like);
    return like(texts(String(text))) ? 1 : 0;
  });
  return {
    begin: () => {
      [begun, workedBefore] = [clock.now(), clock.worked()];
      beginTurn(begun, workedBefore);
    },
    pause: async (work) => {
      const [since, before] = [clock.now(), clock.worked()];
      await work();
      const [now, worked] = [clock.now(), clock.worked()];
      begun += now - since;
      workedBefore += worked - before;
      beginTurn(now, worked);
    },
    spentMs,
    workedMs,
  };
}

/** Returns the CPU time of this thread. */
export function threadWorkedMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/**
 * Builds a time limit condition for statements that may read many rows. It is always true, but aborts a slow statement
 * with `Interrupted` (503). MariaDB and MySQL enforce their own limit.
 * @param column any column of the table being read, so that the condition is evaluated for each row
 */
export function inTime(dialect: Dialect, column: Sql): Sql {
  return dialect === 'sqlite' ? sql`in_time(${column})` : sql`1 = 1`;
}

/** Folds texts and caches long ones, because each text is searched once per term. */
function recentlyFolded(): (text: string) => string {
  const kept: { readonly text: string; readonly plain: string }[] = [];
  return (text) => {
    if (text.length < LONG) return folded(text);
    const known = kept.find((each) => each.text === text);
    if (known) return known.plain;
    const plain = folded(text);
    kept.unshift({ text, plain });
    kept.length = Math.min(kept.length, KEPT);
    return plain;
  };
}

type Like = (plain: string) => boolean;

/** Wildcards: any number of characters, and exactly one. */
const MANY = Symbol('%');
const ONE = Symbol('_');
type Token = string | typeof MANY | typeof ONE;

function compile(pattern: string, escape: string): Like {
  const tokens = tokensOf(folded(pattern), escape);
  const inner = tokens.slice(1, -1);
  const within = tokens.length > 1 && tokens[0] === MANY && tokens.at(-1) === MANY;
  if (!within || !inner.every((each) => typeof each === 'string')) return (plain) => isLike(Array.from(plain), tokens);
  const word = inner.join('');
  return (plain) => plain.includes(word);
}

function tokensOf(pattern: string, escape: string): Token[] {
  const letters = Array.from(pattern);
  const tokens: Token[] = [];
  for (let i = 0; i < letters.length; i++) {
    const letter = letters[i] ?? '';
    if (letter === escape) tokens.push(letters[++i] ?? '');
    else tokens.push(letter === '%' ? MANY : letter === '_' ? ONE : letter);
  }
  return tokens;
}

/** Matches with backtracking: after a mismatch the last `%` takes one more character. */
function isLike(letters: readonly string[], tokens: readonly Token[]): boolean {
  let at = 0;
  let token = 0;
  let many = -1;
  let taken = 0;
  while (at < letters.length) {
    if (tokens[token] === MANY) {
      many = token++;
      taken = at;
    } else if (tokens[token] === ONE || tokens[token] === letters[at]) {
      at++;
      token++;
    } else if (many >= 0) {
      token = many + 1;
      at = ++taken;
    } else return false;
  }
  return tokens.slice(token).every((each) => each === MANY);
}
