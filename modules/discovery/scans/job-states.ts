// Job states, which follow the state of the job's command (M-29).
import { change, changeAll, invalid, lockAll, record, type Context } from '@keelson/core';
import { DiscoveryJob, type Collector, type CollectorCommand } from '../entities.ts';
import { jobNoun } from './job-list.ts';

export const Jobs = record(jobNoun, {
  type: 'discovery_job',
  call: ({ job_id, subnet }) => (subnet === '' ? job_id : `${job_id} of ${subnet}`),
  log: { omit: ['devices_found', 'started_at', 'finished_at'] },
});

type Queued = Pick<CollectorCommand, 'job_id'>;

const jobsOf = (ctx: Context, commands: readonly Queued[]) =>
  lockAll(
    ctx,
    Jobs,
    commands.flatMap(({ job_id }) => job_id ?? []),
  );

/** Marks the jobs of polled commands as running. */
export async function jobsStarted(ctx: Context, collector_id: string, commands: readonly Queued[]): Promise<void> {
  const waiting = (await jobsOf(ctx, commands)).filter(({ status }) => status === 'queued' || status === 'running');
  await changeAll(ctx, Jobs, waiting, ({ started_at }) => ({
    collector_id,
    status: 'running' as const,
    started_at: started_at ?? ctx.now,
  }));
}

/** Returns the jobs to the queue. */
export async function jobsReleased(ctx: Context, commands: readonly Queued[]): Promise<void> {
  const open = (await jobsOf(ctx, commands)).filter(({ status }) => status === 'queued' || status === 'running');
  await changeAll(ctx, Jobs, open, { collector_id: null, status: 'queued' });
}

/** Ends the job of a command that was reported or abandoned. */
export async function jobEnded(
  ctx: Context,
  job_id: number,
  { failed, error }: { readonly failed: boolean; readonly error: string },
): Promise<DiscoveryJob | undefined> {
  const [job] = await lockAll(ctx, Jobs, [job_id]);
  if (!job || job.status === 'completed' || job.status === 'failed') return job;
  const status = failed ? 'failed' : 'completed';
  return change(ctx, Jobs, job, { status, error: failed ? error : null, finished_at: ctx.now });
}

/**
 * Returns the job of a sync, which may have been released while the collector was busy with it.
 * @throws invalid() unless it belongs to the collector, or to none at its site (V-21)
 */
export async function jobOfSync(
  ctx: Context,
  job_id: number | undefined,
  { collector_id, site_number }: Pick<Collector, 'collector_id' | 'site_number'>,
): Promise<DiscoveryJob | undefined> {
  if (job_id === undefined) return undefined;
  const job = await ctx.db.findOneBy(DiscoveryJob, { job_id });
  const isReleased = job?.collector_id === null && job.site_number === site_number;
  if (!job || !(isReleased || job.collector_id === collector_id))
    throw invalid('job_id must be a job of this collector');
  return job;
}
