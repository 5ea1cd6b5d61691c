// What a load balancer or a container runtime asks: does the process run (GET /health), and may it be given work
// (GET /ready). The second tells the truth: not while starting or draining, nor when something it needs is silent.
import { statfs } from 'node:fs/promises';
import type { Logger } from 'pino';
import type { Database } from '../database/db.ts';

export interface HealthCheck {
  readonly name: string;
  /** True when all is well; false or a rejection when not. One that takes over a second counts as failed. */
  readonly run: () => Promise<boolean>;
}

export interface HealthOptions {
  readonly checks: readonly HealthCheck[];
  readonly started: () => boolean;
  readonly draining: () => boolean;
  readonly log: Logger;
}

export interface HealthAnswer {
  /** 200 or 503. */
  readonly status: number;
  readonly body: {
    readonly status: 'running' | 'ready' | 'starting' | 'draining' | 'failing';
    readonly checks?: Readonly<Record<string, CheckResult>>;
  };
}

export type CheckResult = 'ok' | 'failed' | 'timeout';

export interface Health {
  /** The answer of /health: while the process can answer at all, it runs. */
  live(): HealthAnswer;
  /** The answer of /ready, within 1.5 s whatever happens. Callers who ask at the same time share one round of checks. */
  ready(): Promise<HealthAnswer>;
}

const CHECK_MS = 1000;

/** Liveness and readiness over what this process needs. */
export function createHealth({ checks, started, draining, log }: HealthOptions): Health {
  const running = new Map<HealthCheck, Promise<CheckResult>>();
  let asked: Promise<HealthAnswer> | undefined;

  // A check that still hangs is not started again: a dead database would collect one more connection per question.
  const start = (check: HealthCheck): Promise<CheckResult> => {
    const already = running.get(check);
    if (already) return already;
    const result = outcome(check, log).finally(() => running.delete(check));
    running.set(check, result);
    return result;
  };
  const ask = async (): Promise<HealthAnswer> => {
    const results = await Promise.all(
      checks.map(async (check) => [check.name, await withRedisTimeout(start(check))] as const),
    );
    const fine = results.every(([, result]) => result === 'ok');
    return {
      status: fine && !draining() ? 200 : 503,
      body: { status: draining() ? 'draining' : fine ? 'ready' : 'failing', checks: Object.fromEntries(results) },
    };
  };
  return {
    live: () => ({ status: 200, body: { status: 'running' } }),
    ready: async () => {
      if (draining()) return { status: 503, body: { status: 'draining' } };
      if (!started()) return { status: 503, body: { status: 'starting' } };
      asked ??= ask().finally(() => (asked = undefined));
      return asked;
    },
  };
}

/** The check that the database answers. */
export function databaseCheck(database: Pick<Database, 'ping'>): HealthCheck {
  return { name: 'database', run: () => database.ping() };
}

/** Less than this, and a write may soon fail: SQLite's log alone grows by some MB before it is folded in. */
const LEAST_FREE_BYTES = 8 * 1024 * 1024;

/** The check that the disk of the folder has room, so that readiness turns red before the first write fails. */
export function diskCheck(folder: string): HealthCheck {
  return {
    name: 'disk',
    run: async () => {
      const { bavail, bsize } = await statfs(folder);
      return bavail * bsize >= LEAST_FREE_BYTES;
    },
  };
}

async function outcome(check: HealthCheck, log: Logger): Promise<CheckResult> {
  try {
    return (await check.run()) ? 'ok' : 'failed';
  } catch (error) {
    log.warn({ err: error, check: check.name }, 'readiness check failed');
    return 'failed';
  }
}

async function withRedisTimeout(result: Promise<CheckResult>): Promise<CheckResult> {
  let timer: NodeJS.Timeout | undefined;
  const timeout = new Promise<CheckResult>((resolve) => {
    timer = setTimeout(() => resolve('timeout'), CHECK_MS);
  });
  return Promise.race([result, timeout]).finally(() => clearTimeout(timer));
}
