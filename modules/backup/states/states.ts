// The backup status of each company, kept up to date by a job. A change is announced once, and raises or ends an alert.
import {
  Between,
  change,
  create,
  eventDataFor,
  In,
  IsNull,
  listed,
  MoreThan,
  record,
  sql,
  type Context,
  type Wanted,
} from '@keelson/core';
import { eachApart, explained } from '@keelson/core/kit';
import { companiesAfter, Company } from '@keelson/modules/directory';
import { Alert, raiseAlert, resolveAlert, type Raised } from '@keelson/modules/monitoring';
import { BackupMachine, BackupState } from '../entities.ts';
import { BackupStatusChanged } from '../events.ts';
import { stateNoun, StateItem } from './state-list.ts';
import { FRESH_HOURS, isFailing, isLate, nextSummaries, readSummary, statusOf, type Summary } from './status.ts';

export const States = record(stateNoun, {
  call: ({ company_number }) => `of company ${company_number}`,
  log: { omit: ['since'] },
  follow: ({ now }, before, { status }) => (status === undefined || status === before.status ? {} : { since: now }),
  async created(ctx, state) {
    if (state.status !== 'not_configured') await announce(ctx, [state]);
  },
  changed: (ctx, changes) =>
    announce(
      ctx,
      changes.filter(({ before, after }) => before.status !== after.status).map(({ after }) => after),
    ),
});

async function announce(ctx: Context, states: readonly BackupState[]): Promise<void> {
  const dataOf = await eventDataFor(ctx, StateItem, states);
  for (const each of states) ctx.emit(BackupStatusChanged, dataOf(each), { changed: ['status'] });
}

const COMPANIES_AT_ONCE = 500;

/**
 * Updates the status of all companies. Companies with unchanged figures cost no write.
 * @throws AggregateError naming the companies that failed, once the others are done
 */
export async function watchBackups(outside: Context<undefined>): Promise<void> {
  await listCompanies(outside);
  await eachApart(
    readChanged(outside),
    (company_number) => `company ${company_number}`,
    (company_number) => outside.transaction((ctx) => refreshState(ctx, company_number)),
  );
}

/** Returns the companies whose figures differ from their status, or whose alerts name other machines. */
async function* readChanged(outside: Context): AsyncGenerator<number> {
  let last: number | undefined = 0;
  while (last !== undefined) {
    const found: Summary[] = await nextSummaries(outside, last, COMPANIES_AT_ONCE);
    const company_number = found.map((each) => each.company_number);
    const states =
      found.length === 0 ? [] : await outside.db.findBy(BackupState, { company_number: In(company_number) });
    const known = new Map(states.map((each) => [each.company_number, each]));
    const misnamed = await misnamedCompanies(outside, found);
    const changed = found.filter(
      (now) => misnamed.has(now.company_number) || differs(known.get(now.company_number), now),
    );
    yield* changed.map((each) => each.company_number);
    last = found.length < COMPANIES_AT_ONCE ? undefined : found.at(-1)?.company_number;
  }
}

/**
 * Lists companies that have the module but never reported a backup, so that the gap is visible. Removes companies that
 * never reported one, nor tested a restore, and were deleted or lost the module.
 */
async function listCompanies(outside: Context<undefined>): Promise<void> {
  for (let last: number | undefined = 0; last !== undefined;) {
    const companies: number[] = await companiesAfter(outside, last, COMPANIES_AT_ONCE);
    const until = companies.length < COMPANIES_AT_ONCE ? undefined : companies.at(-1);
    const company_number = until ? Between(last + 1, until) : MoreThan(last);
    const states = await outside.db.findBy(BackupState, { company_number });
    const wanted = new Set<number>();
    for (const each of companies) if (await outside.app.switches.enabled(outside, each, 'backup')) wanted.add(each);
    const known = new Set(states.map((each) => each.company_number));
    const silent = states.filter((each) => !each.reported && each.last_drill_on === null);
    const gone = silent.map((each) => each.company_number).filter((each) => !wanted.has(each));
    const added = [...wanted].filter((each) => !known.has(each));
    if (added.length + gone.length > 0)
      await outside.transaction(async (ctx) => {
        const never = { status: 'not_configured' as const, since: ctx.now, updated_at: ctx.now };
        const rows = added.map((each) => ({ ...never, company_number: each }));
        if (rows.length > 0) await ctx.db.insert(BackupState, rows);
        if (gone.length > 0) await ctx.db.delete(BackupState, { company_number: In(gone) });
      });
    last = until;
  }
}

const figuresOf = (summary: Summary) => ({
  reported: true,
  status: statusOf(summary),
  machines: summary.machines,
  failed_machines: summary.failed_machines,
  late_machines: summary.late_machines,
});

function differs(state: BackupState | undefined, summary: Summary): boolean {
  const { status, machines, failed_machines, late_machines } = figuresOf(summary);
  return (
    !state?.reported ||
    state.status !== status ||
    state.machines !== machines ||
    state.failed_machines !== failed_machines ||
    state.late_machines !== late_machines
  );
}

/** Reads the company again under a lock, so that the figures are consistent. */
async function refreshState(ctx: Context, company_number: number): Promise<void> {
  const company = await ctx.db.findOne(Company, {
    where: { company_number, deleted_at: IsNull() },
    lock: { mode: 'pessimistic_write' },
  });
  // Missing backups of a deleted customer must not raise alerts.
  if (!company) await ctx.db.update(BackupMachine, { company_number, retired_at: IsNull() }, { retired_at: ctx.now });
  const summary = await readSummary(ctx, company_number);
  await storeState(ctx, company_number, figuresOf(summary));
  await tellAlerts(ctx, summary);
}

/** Creates or changes the status of a company that the transaction has locked. */
export async function storeState(ctx: Context, company_number: number, wanted: Wanted<typeof States>): Promise<void> {
  const known = await ctx.db.findOne(BackupState, { where: { company_number }, lock: { mode: 'pessimistic_write' } });
  if (known) await change(ctx, States, known, wanted);
  else await create(ctx, States, { status: 'not_configured', since: ctx.now, ...wanted, company_number });
}

async function tellAlerts(ctx: Context, summary: Summary): Promise<void> {
  for (const { open_key, raised } of await readAlerts(ctx, [summary]))
    if (raised) await raiseAlert(ctx, open_key, raised);
    else await resolveAlert(ctx, open_key);
}

/** Returns the companies whose open alerts name machines that are no longer in trouble, or not all that are. */
async function misnamedCompanies(ctx: Context, summaries: readonly Summary[]): Promise<ReadonlySet<number>> {
  const wanted = new Map(
    (await readAlerts(ctx, summaries)).flatMap(({ open_key, raised }) => (raised ? [[open_key, raised]] : [])),
  );
  if (wanted.size === 0) return new Set();
  const open = await ctx.db.findBy(Alert, { open_key: In([...wanted.keys()]) });
  const misnamed = open.filter(({ open_key, message }) => open_key && wanted.get(open_key)?.message !== message);
  return new Set(misnamed.flatMap(({ company_number }) => company_number ?? []));
}

interface CompanyAlert {
  readonly open_key: string;
  /** Undefined without a machine in trouble. */
  readonly raised: Raised | undefined;
}

/** Returns the alerts that companies should have. */
async function readAlerts(ctx: Context, summaries: readonly Summary[]): Promise<CompanyAlert[]> {
  const failed = await machineNames(ctx, summaries, 'failed');
  const late = await machineNames(ctx, summaries, 'late');
  return summaries.flatMap(({ company_number }) => {
    const [failing, missing] = [failed.get(company_number), late.get(company_number)];
    const failure = failing && explained(`The last backup failed: ${failing}`);
    const gap = missing && explained(`No backup for more than ${FRESH_HOURS} hours: ${missing}`);
    return [
      {
        open_key: `backup-failed:${company_number}`,
        raised: failure
          ? { alert_type: 'backup_failed', severity: 'critical', message: failure, company_number }
          : undefined,
      },
      {
        open_key: `backup-late:${company_number}`,
        raised: gap ? { alert_type: 'backup_late', severity: 'warning', message: gap, company_number } : undefined,
      },
    ];
  });
}

const NAMED = 5;

/** Names the first machines in trouble of each company that has any. */
async function machineNames(
  ctx: Context,
  summaries: readonly Summary[],
  which: 'failed' | 'late',
): Promise<ReadonlyMap<number, string>> {
  const troubled = summaries.filter((each) => each[`${which}_machines`] > 0);
  if (troubled.length === 0) return new Map();
  const ids = listed(troubled.map((each) => each.company_number));
  const rows = await ctx.db.query<{ company_number: number; machine_name: string }>(sql`
    SELECT company_number, machine_name FROM (
      SELECT company_number, machine_name,
        ROW_NUMBER() OVER (PARTITION BY company_number ORDER BY machine_name, machine_id) AS nth
      FROM backup_machine
      WHERE company_number IN ${ids} AND ${which === 'failed' ? isFailing : isLate(ctx)}) AS troubled
    WHERE nth <= ${NAMED} ORDER BY company_number, nth`);
  const named = Map.groupBy(rows, (each) => Number(each.company_number));
  return new Map(
    troubled.map((each) => {
      const its = named.get(each.company_number) ?? [];
      const more = each[`${which}_machines`] - its.length;
      const names = its.map(({ machine_name }) => machine_name.slice(0, 150)).join(', ');
      return [each.company_number, more > 0 ? explained(`${names} and ${more} more`) : names];
    }),
  );
}
