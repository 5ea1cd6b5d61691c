// Status changes after midnight in the tenant's time zone: contracts start and end, licenses and domains expire.
import {
  changeAll,
  In,
  IsNull,
  LessThan,
  LessThanOrEqual,
  lockAll,
  Not,
  today,
  type Context,
  type Day,
} from '@keelson/core';
import { batchesApart, eachApart, type Batches } from '@keelson/core/kit';
import { Contracts } from '../contracts/contracts.ts';
import { Contract } from '../contracts/entities.ts';
import { renewedUntil } from '../contracts/term.ts';
import { Domains } from '../domains/domains.ts';
import { Domain } from '../domains/entities.ts';
import { License } from '../licenses/entities.ts';
import { Licenses } from '../licenses/licenses.ts';
import { contractStatus } from './status.ts';

const AT_ONCE = 100;

type Until = ReturnType<typeof LessThan<Day>>;
type DueContracts = Pick<Contract, 'status'> &
  Partial<Pick<Contract, 'auto_renew'>> & { readonly start_date?: Until; readonly end_date?: Until };
interface Over {
  readonly status: 'active';
  readonly expires_at: Until;
}

/**
 * Updates all due records, in batches per kind.
 * @throws AggregateError naming the records that failed, once the others are done
 */
export async function advanceStatuses(outside: Context<undefined>): Promise<void> {
  const now = today(outside);
  const over = { status: 'active', expires_at: LessThan(now) } as const;
  // Contracts that expired although they should have renewed.
  const late = { status: 'expired', auto_renew: true, end_date: LessThan(now) } as const;
  const kinds = [
    { name: 'starting contracts', due: contracts(outside, { status: 'pending', start_date: LessThanOrEqual(now) }) },
    { name: 'ending contracts', due: contracts(outside, { status: 'active', end_date: LessThan(now) }) },
    { name: 'renewing contracts', due: contracts(outside, late) },
    { name: 'licenses', due: licenses(outside, over) },
    { name: 'domains', due: domains(outside, over) },
  ];
  await eachApart(
    kinds,
    ({ name }) => name,
    ({ due }) => batchesApart(due),
  );
}

function contracts(outside: Context<undefined>, where: DueContracts): Batches<number> {
  return {
    size: AT_ONCE,
    async read(failed) {
      const due = { ...where, ...living, contract_id: Not(In(failed)) };
      const rows = await outside.db.find(Contract, { where: due, take: AT_ONCE });
      return rows.map((each) => each.contract_id);
    },
    nameOf: (id) => `contract ${id}`,
    work: (ids) => outside.transaction((ctx) => advanceContracts(ctx, ids)),
  };
}

async function advanceContracts(ctx: Context, ids: readonly number[]): Promise<void> {
  const now = today(ctx);
  await changeAll(ctx, Contracts, await lockAll(ctx, Contracts, ids), (each) => {
    const dates = { ...each, ...renewedUntil(each, now) };
    const { term_start, term_overflows, end_date, renewal_date } = dates;
    return { status: contractStatus(dates, now), term_start, term_overflows, end_date, renewal_date };
  });
}

function licenses(outside: Context<undefined>, where: Over): Batches<number> {
  return {
    size: AT_ONCE,
    async read(failed) {
      const due = { ...where, ...living, license_id: Not(In(failed)) };
      const rows = await outside.db.find(License, { where: due, take: AT_ONCE });
      return rows.map((each) => each.license_id);
    },
    nameOf: (id) => `license ${id}`,
    work: (ids) =>
      outside.transaction(async (ctx) => {
        const over = (await lockAll(ctx, Licenses, ids)).filter((each) => isOver(ctx, each));
        await changeAll(ctx, Licenses, over, { status: 'expired' });
      }),
  };
}

function domains(outside: Context<undefined>, where: Over): Batches<number> {
  return {
    size: AT_ONCE,
    async read(failed) {
      const due = { ...where, ...living, domain_id: Not(In(failed)) };
      const rows = await outside.db.find(Domain, { where: due, take: AT_ONCE });
      return rows.map((each) => each.domain_id);
    },
    nameOf: (id) => `domain ${id}`,
    work: (ids) =>
      outside.transaction(async (ctx) => {
        const over = (await lockAll(ctx, Domains, ids)).filter((each) => isOver(ctx, each));
        await changeAll(ctx, Domains, over, { status: 'expired' });
      }),
  };
}

const living = { deleted_at: IsNull() };

/** Whether a license or domain is still to expire: it may have been renewed before it was locked. */
const isOver = (ctx: Context, { status, expires_at }: { readonly status: string; readonly expires_at: Day | null }) =>
  status === 'active' && expires_at !== null && expires_at < today(ctx);
