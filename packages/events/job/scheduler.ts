// Runs jobs on schedule. Each due time is a row that only one process can insert, so it runs once.
import { DuplicateKey, type Database } from '@keelson/database/db.ts';
import { memoize } from '@keelson/kit/memoize.ts';
import { messageOf } from '@keelson/kit/message-of.ts';
import { notFound, Problem } from '@keelson/kit/problem.ts';
import type { Clock, Timestamp } from '@keelson/kit/time.ts';
import { withTimeout } from '@keelson/kit/timeout.ts';
import nodeCron, { createTask, type ScheduledTask } from 'node-cron';
import type { Logger } from 'pino';
import type { WorkContext } from '../work-context.ts';
import { abandonRuns, claimRun, endRun, lastRuns, pruneRuns, renewLease, type Run } from './job-run.ts';
import type { Job } from './job.ts';

export interface JobState {
  readonly name: string;
  readonly title: string;
  readonly cron: string;
  readonly last_run_at: Timestamp | null;
  readonly outcome: 'running' | 'done' | 'failed' | null;
  readonly error: string | null;
  readonly duration_ms: number | null;
  readonly next_run_at: Timestamp | null;
}

export interface RunResult {
  readonly outcome: 'done' | 'failed';
  readonly error: string | null;
}

export interface Scheduler {
  readonly start: () => void;
  /** Starts no more jobs, asks running ones to end, and waits up to 5 s for them. */
  readonly stop: () => Promise<void>;
  /** Runs a job immediately; returns undefined if it is already running. @throws notFound() */
  readonly runNow: (name: string) => Promise<RunResult | undefined>;
  /** Runs a due time; returns undefined if another process has it, or the last run is still active. */
  readonly runDue: (name: string, dueAt: Timestamp) => Promise<RunResult | undefined>;
  readonly list: () => Promise<JobState[]>;
}

export interface SchedulerOptions {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Logger;
  readonly jobs: readonly Job[];
  /** Creates a context outside a transaction. */
  readonly makeContext: () => WorkContext;
  /** Runs before each job, to refresh the state that its context exposes. */
  readonly refresh: () => Promise<void>;
  /** How long a job without a deadline of its own may run before it counts as failed (1 h). */
  readonly deadlineSeconds?: number;
}

const HEARTBEAT_MS = 20_000;
const STOP_SECONDS = 5;
const DEADLINE_SECONDS = 3600;
/** How late a job may start whose time passed while the process stood still. Only the last time missed is made up for. */
const LATEST_MS = 24 * 3600_000;

/** Returns what is wrong with a cron expression, in one sentence; undefined if it is valid. */
export function invalidCron(line: string): string | undefined {
  const { valid, errors } = nodeCron.validateDetailed(line);
  return valid ? undefined : errors.map((each) => each.message).join('; ');
}

export function createScheduler(options: SchedulerOptions): Scheduler {
  const { database, clock, log, jobs } = options;
  const running = new Set<Promise<unknown>>();
  const stopping = new AbortController();
  const tasks: ScheduledTask[] = [];
  // Created when needed: a process that runs no jobs needs none.
  const taskOf = memoize((job: Job): ScheduledTask => {
    const run = async ({ date }: { date: Date }) => {
      await tracked(runAt(job, date.toISOString())).catch((err: unknown) =>
        away(err)
          ? log.warn({ job: job.name, reason: reasonOf(err) }, 'job: not started, the database is away')
          : log.error({ err, job: job.name }, 'job: could not be started'),
      );
    };
    const quiet = cronLogger(log.child({ job: job.name }));
    const task = createTask(job.cron, run, {
      name: job.name,
      timezone: 'UTC',
      noOverlap: true,
      unref: true,
      missedExecutionTolerance: LATEST_MS,
      suppressMissedWarning: true,
      logger: quiet,
    });
    tasks.push(task);
    return task;
  });

  function tracked<T>(work: Promise<T>): Promise<T> {
    running.add(work);
    const done = () => void running.delete(work);
    work.then(done, done);
    return work;
  }

  async function runAt(job: Job, dueAt: Timestamp): Promise<RunResult | undefined> {
    await abandonRuns(database, clock.now());
    const run = await claimRun(database, job.name, dueAt, clock.now()).catch((error: unknown) => {
      if (error instanceof DuplicateKey) return undefined;
      throw error;
    });
    if (!run) return undefined;
    const result = await perform(job, run);
    await pruneRuns(database, job.name);
    return result;
  }

  async function perform(job: Job, run: Run): Promise<RunResult> {
    const beat = setInterval(() => {
      renewLease(database, run, clock.now()).catch((err: unknown) => log.warn({ err, job: job.name }, 'job: no lease'));
    }, HEARTBEAT_MS).unref();
    const since = performance.now();
    const { deadlineSeconds = options.deadlineSeconds ?? DEADLINE_SECONDS } = job;
    try {
      const late = `Not finished after ${deadlineSeconds} s`;
      const error = await withTimeout(
        deadlineSeconds,
        async () => {
          await options.refresh();
          await job.run(options.makeContext(), { stopping: stopping.signal });
        },
        late,
      ).then(
        () => null,
        (err: unknown) => {
          if (away(err)) log.warn({ job: job.name, reason: reasonOf(err) }, 'job: ended, the database is away');
          else log.error({ err, job: job.name }, 'job: failed');
          return messageOf(err);
        },
      );
      const result = { outcome: error === null ? 'done' : 'failed', error } as const;
      const duration_ms = Math.round(performance.now() - since);
      await endRun(database, run, { ...result, duration_ms, finished_at: clock.now() });
      return result;
    } finally {
      clearInterval(beat);
    }
  }

  const jobOf = (name: string): Job => {
    const job = jobs.find((each) => each.name === name);
    if (!job) throw notFound('Job');
    return job;
  };

  return {
    start() {
      for (const job of jobs) void taskOf(job).start();
    },
    async stop() {
      stopping.abort();
      for (const task of tasks) void task.destroy();
      const all = () => Promise.allSettled(running);
      await withTimeout(STOP_SECONDS, all, 'Jobs are still running').catch(() =>
        log.warn({ running: running.size }, 'job: stopped with jobs running; they will be marked as abandoned'),
      );
    },
    runNow: async (name) => tracked(runAt(jobOf(name), clock.now())),
    runDue: async (name, dueAt) => tracked(runAt(jobOf(name), dueAt)),
    async list() {
      const last = await lastRuns(database, clock.now());
      return jobs.map((job) => {
        const { name, title, cron } = job;
        const run = last.get(name);
        return {
          name,
          title,
          cron,
          last_run_at: run?.started_at ?? null,
          outcome: run?.outcome ?? null,
          error: run?.error ?? null,
          duration_ms: run?.duration_ms ?? null,
          next_run_at: taskOf(job).getNextRuns(1)[0]?.toISOString() ?? null,
        };
      });
    },
  };
}

/** The database is down. Jobs run again at their next time; requests and health checks report the outage. */
function away(error: unknown): error is Problem | AggregateError {
  if (error instanceof AggregateError) return error.errors.length > 0 && error.errors.every(away);
  return error instanceof Problem && error.kind === 'unavailable';
}

function reasonOf(error: Problem | AggregateError): string {
  if (error instanceof AggregateError) return [...new Set(error.errors.map(reasonOf))].join('; ');
  return error.cause instanceof Error ? error.cause.message : error.message;
}

// By default, node-cron logs to the console.
function cronLogger(log: Logger) {
  return {
    info: (message: string) => log.debug(message),
    warn: (message: string) => log.warn(message),
    error: (message: string | Error, err?: Error) => log.error({ err: err ?? message }, 'job: the clock failed'),
    debug: (message: string | Error) => log.debug(String(message)),
  };
}
