// The log of restore drills: a backup counts only once a restore was tested.
import {
  by,
  change,
  create,
  invalid,
  IsNull,
  record,
  remove,
  restrict,
  today,
  view,
  type Context,
} from '@keelson/core';
import { Asset } from '@keelson/modules/assets';
import { Company, CompanyNames, holdCompany } from '@keelson/modules/directory';
import { BackupRecord, RestoreDrill } from './entities.ts';
import { storeState } from './states/states.ts';
import { ownCompany } from './visible.ts';

export const Drills = record(RestoreDrill, {
  title: 'Restore drill',
  call: ({ subject }) => subject,
  filters: (its) => ({ company_number: its.is('company_number'), result: its.is('result') }),
  sorts: { tested_on: by('tested_on') },
  prepare: checkDrill,
});

export const DrillItem = view(Drills, {
  more: (its) => ({ company_name: its.name(CompanyNames, 'company_number') }),
});
/** A drill as the customer's employees see it, without the technicians' notes. */
export const PortalDrill = restrict(
  view(Drills, { only: ['drill_id', 'subject', 'asset_id', 'tested_on', 'result', 'tested_by'] }),
  ownCompany,
);

export interface NewDrill {
  readonly company_number: number;
  readonly subject: string;
  readonly result: RestoreDrill['result'];
  readonly asset_id?: number | null | undefined;
  readonly backup_id?: number | null | undefined;
  readonly tested_on?: string | undefined;
  readonly tested_by?: string | undefined;
  readonly notes?: string | undefined;
}

/** Records a drill. Defaults to today and to the caller as tester. @throws invalid() naming the field */
export async function createDrill(ctx: Context, given: NewDrill): Promise<RestoreDrill> {
  const { company_number } = given;
  await holdCompany(ctx, company_number);
  const tested_by = given.tested_by || ctx.author.name;
  const drill = await create(ctx, Drills, { ...given, tested_by, tested_on: given.tested_on ?? today(ctx) });
  await noteNewest(ctx, company_number);
  return drill;
}

export async function changeDrill(
  ctx: Context,
  drill: RestoreDrill,
  { tested_by, ...rest }: Partial<Omit<NewDrill, 'company_number'>>,
): Promise<RestoreDrill> {
  const after = await change(ctx, Drills, drill, { ...rest, ...(tested_by && { tested_by }) });
  await noteNewest(ctx, drill.company_number);
  return after;
}

export async function removeDrill(ctx: Context, drill: RestoreDrill): Promise<void> {
  await remove(ctx, Drills, drill);
  await noteNewest(ctx, drill.company_number);
}

/** Checks the references and dates of a drill. @throws invalid() naming the field */
async function checkDrill(ctx: Context, after: RestoreDrill, before: RestoreDrill | undefined): Promise<void> {
  const { company_number, asset_id, backup_id } = after;
  if (after.tested_on > today(ctx)) throw invalid('tested_on must not be in the future');
  if (asset_id !== null && asset_id !== before?.asset_id) {
    const asset = await ctx.db.findOne(Asset, {
      where: { asset_id, company_number, deleted_at: IsNull() },
      lock: { mode: 'pessimistic_write' },
    });
    if (!asset) throw invalid('asset_id must be an asset of the company');
  }
  if (backup_id !== null && backup_id !== before?.backup_id) {
    const backup = await ctx.db.findOneBy(BackupRecord, { backup_id, company_number });
    if (!backup) throw invalid('backup_id must be a backup of the company');
  }
}

/** Stores the newest drill in the company's backup state; no drill means never tested. */
async function noteNewest(ctx: Context, company_number: number): Promise<void> {
  await ctx.db.findOne(Company, { where: { company_number }, lock: { mode: 'pessimistic_write' } });
  const newest = await ctx.db.findOne(RestoreDrill, {
    where: { company_number, deleted_at: IsNull() },
    order: { tested_on: 'DESC', drill_id: 'DESC' },
  });
  const told = { last_drill_on: newest?.tested_on ?? null, last_drill_result: newest?.result ?? null };
  await storeState(ctx, company_number, told);
}
