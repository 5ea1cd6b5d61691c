// SQLite runs in this process, so while it reads no other request is served. Node cannot interrupt it, but SQL functions
// of ours are called for every row, and they end a statement that has taken too long.
import type { DatabaseSync } from 'node:sqlite';
import { Interrupted } from './database-error.ts';
import { folded } from '../kit/normal.ts';
import { sql, type Sql } from './sql.ts';
import type { Dialect } from './table.ts';

/** How long one statement may read rows. */
const MOST_MS = 90;
/** After that it may go on for this long at a time while it uses little CPU: it may have waited for a processor. */
const GRACE_MS = 30;
/** When it ends in any case. */
const LATEST_MS = 500;
/** Texts of at least this length stay folded for the next word that is searched in them. */
const LONG = 500;
const KEPT = 4;

export interface Watch {
  /** To be called when a statement begins. */
  begin(): void;
  /** Waits for `work` in the middle of a statement; its time is not the statement's. */
  pause(work: () => Promise<void>): Promise<void>;
  /** The milliseconds that the statement has taken. */
  spentMs(): number;
}

/**
 * Adds the SQL functions: `in_time(column)`, which is always true and checks the time; `ms_spent(count)`, the milliseconds
 * that the statement has taken; and `LIKE … ESCAPE`, which ignores case and accents (P-24) like MariaDB's collation.
 */
export function watchStatements(database: DatabaseSync): Watch {
  let begun = 0;
  let end = Infinity;
  let before: number | undefined;
  const check = () => {
    const now = performance.now();
    if (now <= end) return;
    const worked = workedMs();
    const works = before !== undefined && worked - before > GRACE_MS / 2;
    if (works || now > begun + LATEST_MS) throw new Interrupted(`SQLite was reading for ${Math.round(now - begun)} ms`);
    before = worked;
    end = now + GRACE_MS;
  };
  const texts = recentlyFolded();
  const patterns = new Map<string, Like>();
  database.function('in_time', (_column) => {
    check();
    return 1;
  });
  const spentMs = () => performance.now() - begun;
  database.function('ms_spent', (_rows) => spentMs());
  // SQLite takes the number of arguments from the parameters of the function.
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
      begun = performance.now();
      end = begun + MOST_MS;
      before = undefined;
    },
    pause: async (work) => {
      const since = performance.now();
      await work();
      const paused = performance.now() - since;
      begun += paused;
      end += paused;
      before = undefined;
    },
    spentMs,
  };
}

/** The processor time of this thread. */
export function workedMs(): number {
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1000;
}

/**
 * A condition for statements that may read many rows. It is always true, but ends the statement with `Interrupted` (503)
 * when it has taken too long. MariaDB and MySQL have their own limit.
 * @param column any column of the table that is read, so that the condition is evaluated for each row
 */
export function inTime(dialect: Dialect, column: Sql): Sql {
  return dialect === 'sqlite' ? sql`in_time(${column})` : sql`1 = 1`;
}

/** A text is searched once for every word, so long ones are folded only once. */
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

/** Any number of characters, and exactly one. */
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

/** The usual matching with backtracking: after a mismatch the last `%` takes one more letter. */
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
