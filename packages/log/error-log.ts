// The error log: unexpected errors for operators (F-61). Callers never see it (E-10).
import type { Database } from '@keelson/database/db.ts';
import { choice, id, int, table, text, when } from '@keelson/database/schema/table.ts';
import type { Clock, Timestamp } from '@keelson/kit/time.ts';
import { count, counterTable } from '@keelson/list/counter/counter.ts';
import type { Logger } from 'pino';

/** Unexpected errors, for operators. */
export const ErrorLine = table(
  'error_log',
  {
    error_id: id(),
    level: choice('error', 'warning'),
    message: text(1000),
    path: text(500),
    method: text(10),
    status: int(),
    request_id: text(64),
    stack: text().nullable().hidden(),
    created_at: when(),
  },
  [['created_at'], ['level', 'created_at']],
);

/** Counts the entries for list totals. */
export const ErrorCount = counterTable('error_count', { of: ErrorLine, dimensions: ['level'] });

export interface ErrorEntry {
  readonly level: 'error' | 'warning';
  readonly message: string;
  readonly path: string;
  readonly method: string;
  readonly status: number;
  readonly request_id: string;
  readonly stack?: string | undefined;
}

export interface ErrorLog {
  /** Stores an entry soon, outside any transaction. Never throws; above a rate limit, errors are only counted. */
  store(entry: ErrorEntry): void;
  /** Resolves when all entries so far are written, or have failed. */
  flush(): Promise<void>;
}

const PER_SECOND = 20;

export function createErrorLog(options: { database: Database; clock: Clock; log: Logger }): ErrorLog {
  const { database, clock, log } = options;
  const writing = new Set<Promise<unknown>>();
  let second = 0;
  let taken = 0;
  let dropped = 0;

  // Monotonic time: setting the clock back must not block the log.
  const hasRoom = (): boolean => {
    const now = Math.floor(performance.now() / 1000);
    if (now !== second) {
      if (dropped > 0) log.warn({ dropped }, 'error log: too many errors, some were not stored');
      second = now;
      taken = 0;
      dropped = 0;
    }
    if (taken >= PER_SECOND) dropped++;
    return taken++ < PER_SECOND;
  };

  return {
    store(entry) {
      if (!hasRoom()) return;
      const row = lineOf(entry, clock.now());
      const done = database
        .transaction(async (tx) => {
          tx.append(ErrorLine, row);
          count(tx, ErrorCount, row);
        })
        .catch((err: unknown) => log.error({ err, request_id: entry.request_id }, 'error log: an entry was not stored'))
        .finally(() => writing.delete(done));
      writing.add(done);
    },
    async flush() {
      await Promise.all(writing);
    },
  };
}

/**
 * Removes possible secrets from a text: quoted values (drivers quote parameters in their messages), the words after
 * `password` and the like, mail addresses, and long runs without spaces.
 */
export function withoutSecrets(message: string): string {
  return message
    .replace(/'(?:[^'\\]|\\.|'')*'/g, "'…'")
    .replace(/"(?:[^"\\]|\\.)*"/g, '"…"')
    .replace(/\b(bearer|basic)\s+\S+/gi, '$1 …')
    .replace(/\b(password|passwd|secret|token|authorization|cookie|api[_-]?key)\b(\s*[:=]\s*)\S+/gi, '$1$2…')
    .replace(/[^\s@/]+@[^\s@/]+\.[^\s@/]+/g, '…')
    .replace(/[\w~+=.-]{32,}/g, (run) => (/\d/.test(run) ? '…' : run));
}

function lineOf({ level, message, path, method, status, request_id, stack }: ErrorEntry, now: Timestamp) {
  return {
    level,
    message: withoutSecrets(message).slice(0, 1000),
    // Query strings may contain tokens, and password links have long path segments.
    path: withoutSecrets(path.split('?')[0] ?? '').slice(0, 500),
    method: method.slice(0, 10),
    status,
    request_id: request_id.slice(0, 64),
    stack: stack === undefined ? null : withoutSecrets(stack).slice(0, 8000),
    created_at: now,
  };
}
