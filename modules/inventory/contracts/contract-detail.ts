// Contract detail with covered assets and renewal (F-13).
import { showOne, today, z, type Context } from '@keelson/core';
import { daysBetween } from '../expiry/status.ts';
import { LinkedAsset, readLinkedAssets } from '../links.ts';
import { ContractItem, coveredBy } from './contracts.ts';
import type { Contract } from './entities.ts';
import { noticeBy } from './term.ts';

const Renewal = z.object({
  auto_renew: z.boolean(),
  renewal_date: z.iso.date().nullable(),
  notice_days: z.int(),
  /** 0 once the day has passed. */
  days_until_renewal: z.int().nullable(),
  /** Last day to give notice. */
  notice_by: z.iso.date().nullable(),
  /** First day of the current term; null in the first term. */
  term_start: z.iso.date().nullable(),
});
export const ContractDetail = ContractItem.shape.extend({ assets: z.array(LinkedAsset), renewal: Renewal });

export async function readContract(ctx: Context, contract: Contract) {
  const assets = await readLinkedAssets(ctx, await coveredBy(ctx, contract.contract_id));
  return { ...(await showOne(ctx, ContractItem, contract)), assets, renewal: renewalOf(contract, today(ctx)) };
}

function renewalOf(
  { auto_renew, renewal_date, end_date, notice_days, term_start }: Contract,
  now: string,
): z.infer<typeof Renewal> {
  const last = end_date ?? renewal_date;
  return {
    auto_renew,
    renewal_date,
    notice_days,
    days_until_renewal: renewal_date === null ? null : Math.max(0, daysBetween(now, renewal_date)),
    notice_by: last === null ? null : noticeBy(last, notice_days),
    term_start,
  };
}
