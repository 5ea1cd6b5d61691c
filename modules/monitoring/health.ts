// Installation health report (F-54, MO-03); the response status is always 200.
import { IsNull, MoreThan, plus, z, type Context } from '@keelson/core';
import { nextBackup, readBackupReport } from '@keelson/core/backup';
import { readTroubles, type Trouble } from '@keelson/core/plugin';
import { Collector } from '@keelson/modules/discovery';
import { Webhook } from '@keelson/modules/webhooks';

const states = ['ok', 'degraded', 'down'] as const;
type State = (typeof states)[number];

const Check = z.object({ status: z.enum(states), detail: z.string() });
type Check = z.infer<typeof Check>;

export const HealthShape = z.object({
  status: z.enum(states),
  checks: z.object({
    database: Check,
    replicas: Check.optional(),
    queue: Check,
    webhooks: Check,
    collectors: Check,
    jobs: Check,
    counters: Check,
    plugins: Check,
    fonts: Check,
    backup: Check.optional(),
  }),
  version: z.string(),
  uptime_seconds: z.int(),
  time: z.iso.datetime(),
});

export async function readHealth(ctx: Context): Promise<z.infer<typeof HealthShape>> {
  const troubles = await readTroubles(ctx);
  const [database, queue, webhooks, collectors] = await Promise.all([
    checkDatabase(ctx),
    checkQueue(ctx, troubles),
    checkWebhooks(ctx),
    checkCollectors(ctx),
  ]);
  const replicas = checkReplicas(ctx);
  const backup = await checkBackup(ctx);
  const checks = {
    database,
    ...(replicas && { replicas }),
    queue,
    webhooks,
    collectors,
    jobs: checkTroubles(troubles, 'job', 'No jobs are failing'),
    counters: checkTroubles(troubles, 'counter', 'All counters match their tables'),
    plugins: checkTroubles(troubles, 'plugin', 'All plugins are running'),
    fonts: checkTroubles(troubles, 'fonts', 'PDF fonts cover all characters in use'),
    ...(backup && { backup }),
  };
  const worst = Math.max(...Object.values(checks).map(({ status }) => states.indexOf(status)));
  const { version } = ctx.app;
  return {
    status: states[worst] ?? 'down',
    checks,
    version,
    uptime_seconds: Math.floor(process.uptime()),
    time: ctx.now,
  };
}

const ok = (detail: string): Check => ({ status: 'ok', detail });
const unless = (bad: number | boolean, status: State, detail: string, good: string): Check =>
  bad ? { status, detail } : ok(good);

async function checkDatabase({ app }: Context): Promise<Check> {
  const responds = await app.database.ping();
  // With several nodes, which one this process uses.
  const node = app.database.node();
  const what = node === undefined ? 'The database' : `The database at ${node}`;
  return unless(!responds, 'down', `${what} is not responding`, `${what} is responding`);
}

/** Checks the read replicas; undefined without any. The installation works without them, only the primary does more. */
function checkReplicas({ app }: Context): Check | undefined {
  const states = app.replicas?.states();
  if (!states) return undefined;
  const details = states.map(({ address, problem, seconds }) => {
    if (problem !== undefined) return `The replica at ${address} is not used: ${problem}.`;
    if (seconds === undefined) return `The lag of the replica at ${address} is not known yet.`;
    return `The replica at ${address} is less than ${seconds} s behind.`;
  });
  const problems = states.filter(({ problem }) => problem !== undefined).length;
  return unless(problems, 'degraded', details.join(' '), details.join(' '));
}

async function checkQueue({ app }: Context, troubles: readonly Trouble[]): Promise<Check> {
  const { pending } = await app.outbox.waiting();
  const detail = pending === 1 ? '1 delivery is waiting' : `${pending} deliveries are waiting`;
  if (await app.outbox.stalled()) return { status: 'degraded', detail: `${detail}, some for more than five minutes` };
  return checkTroubles(troubles, 'deliveries', detail);
}

function checkTroubles(troubles: readonly Trouble[], kind: Trouble['kind'], good: string): Check {
  const details = troubles.filter((each) => each.kind === kind).map(({ detail }) => detail);
  return unless(details.length, 'degraded', details.join(' '), good);
}

async function checkWebhooks({ db }: Context): Promise<Check> {
  const failing = await db.countBy(Webhook, { deleted_at: IsNull(), failure_count: MoreThan(0) });
  return unless(
    failing,
    'degraded',
    `${failing} ${failing === 1 ? 'webhook is' : 'webhooks are'} failing or disabled after failures`,
    'No webhooks are failing',
  );
}

async function checkCollectors({ db }: Context): Promise<Check> {
  const offline = await db.countBy(Collector, { status: 'offline' });
  const active = await db.countBy(Collector, { status: 'active' });
  return unless(
    offline,
    'degraded',
    `${offline} ${offline === 1 ? 'collector is' : 'collectors are'} offline, ${active} active`,
    `${active} ${active === 1 ? 'collector is' : 'collectors are'} active`,
  );
}

/** How long after its scheduled time a backup, including its test restore, may finish. */
const ALLOWED = { hours: -2 } as const;

/** Checks backups; undefined unless they are scheduled. */
async function checkBackup(ctx: Context): Promise<Check | undefined> {
  const { scheduled, verified_at, error } = await readBackupReport(ctx);
  if (!scheduled) return undefined;
  if (error !== '') return { status: 'degraded', detail: `The last backup failed: ${error}` };
  if (verified_at === null) return { status: 'degraded', detail: 'No backup has been made yet' };
  const detail = `The last backup was verified by a test restore at ${verified_at}`;
  const next = await nextBackup(ctx, verified_at);
  return unless(next !== undefined && next < plus(ctx.now, ALLOWED), 'degraded', detail, detail);
}
