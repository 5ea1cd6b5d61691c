// Contracts of the provider with customers and vendors.
import {
  addDays,
  by,
  change,
  create,
  fromMinor,
  In,
  invalid,
  IsNull,
  record,
  restrict,
  searched,
  today,
  view,
  z,
  type Context,
  type Given,
  type Wanted,
} from '@keelson/core';
import { sameCurrency } from '@keelson/core/plugin';
import type { MembersOf } from '@keelson/core/record';
import { amountFor } from '@keelson/core/surfaces';
import { checkPlace, CompanyNames } from '@keelson/modules/directory';
import { ContractRenewed, InventoryRenewed } from '../events.ts';
import { contractStatus } from '../expiry/status.ts';
import { changedLinks, planLinks, type LinkChange } from '../links.ts';
import { ContractNames, VendorNames } from '../names.ts';
import { Vendor } from '../vendors/entities.ts';
import { ownCompany } from '../visible.ts';
import { Contract, ContractAsset } from './entities.ts';
import { noticeBy, renewedUntil } from './term.ts';

export const Contracts = record(Contract, {
  title: 'Contract',
  call: ({ name }) => name,
  names: ContractNames,
  log: { omit: ['term_overflows'] },
  filters: (its) => ({
    company_number: its.is('company_number'),
    status: its.is('status'),
    search: searched(Contract),
  }),
  sorts: { created_at: by('created_at') },
  derive: ({ auto_renew, renewal_date, end_date }) => ({ due_on: (auto_renew ? renewal_date : null) ?? end_date }),
  follow: (ctx, before, wanted) => datesOf(ctx, { ...before, ...wanted }, before, wanted),
  async prepare(ctx, after, before) {
    await checkPlace(ctx, after, before);
    if (after.end_date !== null && after.end_date < after.start_date)
      throw invalid('end_date must not be before start_date');
    if (before) refuseLateNotice(ctx, after, before);
    const { vendor_id } = after;
    if (vendor_id === null || vendor_id === before?.vendor_id) return;
    if (
      !(await ctx.db.findOne(Vendor, {
        where: { vendor_id, deleted_at: IsNull() },
        lock: { mode: 'pessimistic_write' },
      }))
    )
      throw invalid('vendor_id must be an existing vendor');
  },
  changed(ctx, changes) {
    for (const { before, after } of changes)
      if (before.due_on !== null && before.due_on !== after.due_on)
        ctx.emit(InventoryRenewed, { kind: 'contract', id: after.contract_id });
    for (const { before, after } of changes) if (after.term_start !== before.term_start) tellRenewal(ctx, after);
  },
  async removed(ctx, contracts) {
    await ctx.db.delete(ContractAsset, { contract_id: In(contracts.map((each) => each.contract_id)) });
    for (const { contract_id } of contracts) ctx.emit(InventoryRenewed, { kind: 'contract', id: contract_id });
  },
});

const more = (its: MembersOf<typeof Contract>) => ({
  company_name: its.name(CompanyNames, 'company_number'),
  vendor_name: its.name(VendorNames, 'vendor_id'),
  currency: its.lookup(z.string(), 'contract_id', sameCurrency, ''),
  included_hours: its.from(z.number().nullable(), ['included_minutes'], (row) =>
    row.included_minutes === null ? null : row.included_minutes / 60,
  ),
});

/** Contract in lists (F-12). */
export const ContractItem = view(Contracts, {
  except: ['value_minor', 'included_minutes', 'term_start'],
  more: (its) => ({
    ...more(its),
    value: its.from(z.number().nullable(), ['value_minor'], ({ value_minor }) => value_minor && fromMinor(value_minor)),
  }),
});
/** Contract as its company sees it: the value only with billing access, and the customer notes (Z-15). */
export const PortalContract = restrict(
  view(Contracts, {
    except: ['value_minor', 'included_minutes', 'term_start', 'notes', 'customer_notes'],
    more: (its) => ({
      ...more(its),
      value: its.asOf(z.number().nullable(), 'value_minor', amountFor, null),
      notes: its.from(z.string(), ['customer_notes'], ({ customer_notes }) => customer_notes),
    }),
  }),
  ownCompany,
);

const short = ['contract_id', 'name', 'contract_type', 'status', 'start_date', 'end_date'] as const;
/** Short form (F-14). */
export const ShortContract = view(Contracts, { only: short });
/** Short form with the company, for reading contracts across companies. */
export const CompanyContract = view(Contracts, { only: [...short, 'company_number'] });

interface More {
  /** In minor units. */
  readonly value?: number | null | undefined;
  /** Covered assets; without any, the contract covers the whole company. */
  readonly asset_ids?: readonly number[] | undefined;
}

export type NewContract = Omit<Given<typeof Contracts>, 'status' | 'value_minor'> & More;
export type ContractUpdate = Omit<Wanted<typeof Contracts>, 'status' | 'value_minor'> & More;

export function createContract(ctx: Context, { value, asset_ids = [], ...given }: NewContract): Promise<Contract> {
  const { end_date = null, auto_renew = false, notice_days = 0 } = given;
  const renewal_date = given.renewal_date ?? usualRenewal({ end_date, auto_renew, notice_days });
  const entered = { ...given, term_start: null, term_overflows: false, end_date, renewal_date, auto_renew };
  const dates = { ...entered, ...renewedUntil(entered, today(ctx)) };
  return create(
    ctx,
    Contracts,
    { ...dates, status: contractStatus(dates, today(ctx)), value_minor: value },
    {
      async store({ contract_id, company_number }) {
        await storeLinks(ctx, contract_id, await planLinks(ctx, company_number, [], asset_ids));
      },
    },
  );
}

/** Changes a contract locked in the same transaction. `asset_ids` replaces the covered assets (AS-12). */
export async function updateContract(
  ctx: Context,
  contract: Contract,
  { value, asset_ids, ...wanted }: ContractUpdate,
): Promise<Contract> {
  const { contract_id, company_number } = contract;
  const links = asset_ids && (await planLinks(ctx, company_number, await coveredBy(ctx, contract_id), asset_ids));
  return change(
    ctx,
    Contracts,
    contract,
    { ...wanted, value_minor: value },
    {
      extra: links && changedLinks(links),
      async store() {
        if (links) await storeLinks(ctx, contract_id, links);
      },
    },
  );
}

/** Returns the ids of the covered assets, including deleted ones. */
export async function coveredBy(ctx: Context, contract_id: number): Promise<number[]> {
  return (await ctx.db.findBy(ContractAsset, { contract_id })).map(({ asset_id }) => asset_id);
}

async function storeLinks(ctx: Context, contract_id: number, { added, removed }: LinkChange): Promise<void> {
  if (removed.length > 0) await ctx.db.delete(ContractAsset, { contract_id, asset_id: In(removed) });
  await ctx.db.insert(
    ContractAsset,
    added.map((asset_id) => ({ contract_id, asset_id })),
  );
}

type Dates = Pick<Contract, 'end_date' | 'auto_renew' | 'notice_days'>;

/** Returns the default renewal date (I-07). */
function usualRenewal({ end_date, auto_renew, notice_days }: Dates): string | null {
  return auto_renew && end_date !== null ? addDays(end_date, -notice_days) : null;
}

/** Derives status and dates. A renewal date that was not set by hand follows the end date. */
function datesOf(ctx: Context, after: Contract, before: Contract, wanted: Partial<Contract>): Partial<Contract> {
  const followed = wanted.renewal_date === undefined && before.renewal_date === usualRenewal(before);
  const moved = wanted.start_date !== undefined && wanted.start_date !== before.start_date;
  const agreed = wanted.term_start === undefined && wanted.end_date !== undefined;
  const dates = {
    ...after,
    term_start: moved ? null : after.term_start,
    term_overflows: !moved && !agreed && after.term_overflows,
    renewal_date: followed ? usualRenewal(after) : after.renewal_date,
  };
  const { term_start, term_overflows, renewal_date, end_date } = { ...dates, ...renewedUntil(dates, today(ctx)) };
  const status = contractStatus({ ...after, end_date }, today(ctx));
  return { status, term_start, term_overflows, renewal_date, end_date };
}

/**
 * After the last day for notice, a contract renews once more. Its end can still be agreed: as another end date, or by
 * waiving the notice period.
 */
function refuseLateNotice(ctx: Context, after: Contract, before: Contract): void {
  const { end_date, notice_days } = after;
  if (after.auto_renew || !before.auto_renew || end_date === null || end_date !== before.end_date) return;
  const [now, notice_by] = [today(ctx), noticeBy(end_date, notice_days)];
  const next = renewedUntil({ ...after, auto_renew: true }, addDays(end_date, 1));
  if (now <= notice_by || now > end_date || !next) return;
  throw invalid(
    `auto_renew cannot be switched off after the last day for notice, ${notice_by}: the contract renews until ${next.end_date}. If a different end date was agreed, change end_date or set notice_days to 0`,
  );
}

function tellRenewal(ctx: Context, { contract_id, name, company_number, term_start, end_date }: Contract): void {
  if (term_start === null || end_date === null) return;
  ctx.emit(ContractRenewed, { contract_id, name, company_number, term_start, end_date });
}
