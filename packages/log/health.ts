// Health checks for load balancers and container runtimes: liveness (GET /health) and readiness (GET /ready). A process
// is not ready while it starts or drains, nor while a dependency does not respond.
import { statfs } from 'node:fs/promises';
import type { Database } from '@keelson/database/db.ts';
import { withTimeout } from '@keelson/kit/timeout.ts';
import type { Logger } from 'pino';

/** The probe paths, served under every host. */
export const probePaths = { health: '/health', ready: '/ready', metrics: '/metrics' } as const;

export interface HealthCheck {
  readonly name: string;
  /** Resolves to true when healthy. False, a rejection, or no result within a second count as unhealthy. */
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
  /** The response of /health: always 200, because a process that responds is alive. */
  live(): HealthAnswer;
  /** The response of /ready, always within 1.5 s. Concurrent requests share one round of checks. */
  ready(): Promise<HealthAnswer>;
}

const CHECK_SECONDS = 1;

/** Creates liveness and readiness for a process that depends on `checks`. */
export function createHealth({ checks, started, draining, log }: HealthOptions): Health {
  const running = new Map<HealthCheck, Promise<CheckResult>>();
  let round: Promise<HealthAnswer> | undefined;

  // Do not restart a check that still hangs: each request would open one more connection to a dead database.
  const start = (check: HealthCheck): Promise<CheckResult> => {
    const already = running.get(check);
    if (already) return already;
    const result = runCheck(check, log).finally(() => running.delete(check));
    running.set(check, result);
    return result;
  };
  const inTime = (check: HealthCheck): Promise<CheckResult> =>
    withTimeout(CHECK_SECONDS, () => start(check), 'late').catch(() => 'timeout');
  const checkAll = async (): Promise<HealthAnswer> => {
    const results = await Promise.all(checks.map(async (check) => [check.name, await inTime(check)] as const));
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
      round ??= checkAll().finally(() => (round = undefined));
      return round;
    },
  };
}

/** Checks that the database responds. */
export function databaseCheck(database: Pick<Database, 'ping'>): HealthCheck {
  return { name: 'database', run: () => database.ping() };
}

/** With less free space a write may soon fail: SQLite's write-ahead log alone grows by some MB between checkpoints. */
const LEAST_FREE_BYTES = 8 * 1024 * 1024;

/** Checks that the folder's disk has free space, so that /ready fails before the first write does. */
export function diskCheck(folder: string): HealthCheck {
  return {
    name: 'disk',
    run: async () => {
      const { bavail, bsize } = await statfs(folder);
      return bavail * bsize >= LEAST_FREE_BYTES;
    },
  };
}

async function runCheck(check: HealthCheck, log: Logger): Promise<CheckResult> {
  try {
    return (await check.run()) ? 'ok' : 'failed';
  } catch (error) {
    log.warn({ err: error, check: check.name }, 'readiness check failed');
    return 'failed';
  }
}
