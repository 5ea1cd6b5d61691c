// The table of job runs: which process claimed a due time, how the run ended, and which runs were abandoned.
import type { Db } from '@keelson/database/db.ts';
import { choice, id, int, key, table, text, when, type Row } from '@keelson/database/schema/table.ts';
import { sql } from '@keelson/database/statement/sql.ts';
import { plus, toDatabase, type Timestamp } from '@keelson/kit/time.ts';
import { withoutSecrets } from '@keelson/log/error-log.ts';
import { In, LessThanOrEqual } from 'typeorm';

export const JobRun = table(
  'job_run',
  {
    run_id: id(),
    name: key(100),
    due_at: when(),
    started_at: when(),
    finished_at: when().nullable(),
    leased_until: when(),
    outcome: choice('running', 'done', 'failed'),
    /** The job's name while the run is active, so that a job has one active run, on all nodes of a cluster together. */
    running_job: key(100).nullable().unique(),
    error: text(500).nullable(),
    duration_ms: int().nullable(),
  },
  [['outcome', 'leased_until']],
  { unique: [['name', 'due_at']] },
);

export interface Run {
  readonly run_id: number;
  readonly name: string;
}

export interface RunEnd {
  readonly outcome: 'done' | 'failed';
  readonly error: string | null;
  readonly duration_ms: number;
  readonly finished_at: Timestamp;
}

const LEASE = { seconds: 60 };
const KEPT_RUNS = 200;
const ABANDONED = { outcome: 'failed', error: 'abandoned' } as const;

/** Claims a due time. @throws DuplicateKey when another process has it, or the job's last run is still active */
export async function claimRun(db: Db, name: string, dueAt: Timestamp, now: Timestamp): Promise<Run> {
  const active = { outcome: 'running', running_job: name, started_at: now, leased_until: plus(now, LEASE) } as const;
  return { run_id: await db.insertReturningId(JobRun, { name, due_at: dueAt, ...active }), name };
}

export async function renewLease(db: Db, { run_id }: Run, now: Timestamp): Promise<void> {
  await db.update(JobRun, { run_id, outcome: 'running' }, { leased_until: plus(now, LEASE) });
}

/** Stores how a run ended, even if it was marked as abandoned in the meantime. */
export async function endRun(db: Db, { run_id }: Run, end: RunEnd): Promise<void> {
  await db.update(
    JobRun,
    { run_id },
    { ...end, running_job: null, error: end.error === null ? null : withoutSecrets(end.error).slice(0, 500) },
  );
}

/** Marks runs with an expired lease as abandoned: their process is gone. */
export async function abandonRuns(db: Db, now: Timestamp): Promise<void> {
  await db.update(
    JobRun,
    { outcome: 'running', leased_until: LessThanOrEqual(now) },
    { ...ABANDONED, running_job: null, finished_at: now },
  );
}

/** Returns the latest run of each job. */
export async function lastRuns(db: Db, now: Timestamp): Promise<ReadonlyMap<string, Row<typeof JobRun>>> {
  const ids = await db.query<{ run_id: number }>(sql`SELECT r.run_id FROM job_run r
    JOIN (SELECT name, MAX(due_at) AS due_at FROM job_run GROUP BY name) AS latest
    ON latest.name = r.name AND latest.due_at = r.due_at`);
  if (ids.length === 0) return new Map();
  const rows = await db.findBy(JobRun, { run_id: In(ids.map((each) => each.run_id)) });
  const seen = rows.map((row) =>
    row.outcome === 'running' && row.leased_until <= now ? { ...row, ...ABANDONED } : row,
  );
  return new Map(seen.map((row) => [row.name, row]));
}

export interface FailingJob {
  readonly name: string;
  /** Of its latest failure. */
  readonly error: string;
  /** Whether its last two runs failed. Otherwise it fails again and again. */
  readonly isInARow: boolean;
}

/** How far back failures count that are not in a row. */
const REPEATED_WITHIN = { days: -7 } as const;

/**
 * Returns the jobs whose last two runs failed, and those that failed three times and have succeeded no more often since
 * than in between, as jobs do that put off what fails.
 */
export async function failingJobs(db: Db, now: Timestamp): Promise<FailingJob[]> {
  const rows = await db.query<{ name: string; error: string | null; nth: number }>(sql`SELECT name, error, nth FROM (
      SELECT name, outcome, error, due_at, ROW_NUMBER() OVER (PARTITION BY name ORDER BY due_at DESC) AS nth,
        ROW_NUMBER() OVER (PARTITION BY name, outcome ORDER BY due_at DESC) AS nth_alike
      FROM job_run WHERE outcome <> 'running') AS runs
    WHERE outcome = 'failed' AND (nth <= 2 OR (nth_alike <= 3 AND due_at > ${toDatabase(plus(now, REPEATED_WITHIN))}))
    ORDER BY name, nth`);
  return [...Map.groupBy(rows, (each) => each.name)].flatMap(([name, failures]) => {
    const [last = 0, second, third] = failures.map((each) => Number(each.nth));
    const isInARow = second === 2;
    const isRepeated = third !== undefined && last - 1 <= third - last - 2;
    return isInARow || isRepeated ? [{ name, error: failures[0]?.error ?? 'unknown error', isInARow }] : [];
  });
}

/** Deletes all but the last 200 runs of a job. */
export async function pruneRuns(db: Db, name: string): Promise<void> {
  const [oldest] = await db.query<{ due_at: string }>(
    sql`SELECT due_at FROM job_run WHERE name = ${name} ORDER BY due_at DESC LIMIT 1 OFFSET ${KEPT_RUNS}`,
  );
  if (oldest) await db.run(sql`DELETE FROM job_run WHERE name = ${name} AND due_at <= ${oldest.due_at}`);
}
