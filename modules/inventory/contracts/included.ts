// Work hours included in contracts, for billing of ticket work.
import { In, sql, type Context, type Day } from '@keelson/core';
import { TicketAsset } from '@keelson/modules/tickets';
import { ContractAsset, type billingCycles } from './entities.ts';

export interface IncludedHours {
  readonly contract_id: number;
  readonly name: string;
  readonly minutes: number;
  /** The period the minutes apply to. */
  readonly billing_cycle: (typeof billingCycles)[number];
  readonly start_date: Day;
  readonly end_date: Day | null;
  /** Returns whether a ticket concerns a covered asset; a contract without assets covers the whole company (T-12). */
  covers(ticket_id: number): boolean;
}

export interface WorkedTime {
  readonly company_number: number;
  readonly from: Day;
  readonly to: Day;
  readonly ticket_ids: readonly number[];
}

/** Returns the company's contracts with included hours in force within the date range, oldest first. */
export async function readIncludedHours(
  { db }: Context,
  { company_number, from, to, ticket_ids }: WorkedTime,
): Promise<IncludedHours[]> {
  const rows = await db.query<Omit<IncludedHours, 'covers'>>(sql`SELECT contract_id, name,
      included_minutes AS minutes, billing_cycle, start_date, end_date FROM contract
    WHERE company_number = ${company_number} AND deleted_at IS NULL AND included_minutes > 0 AND start_date <= ${to}
      AND (end_date IS NULL OR end_date >= ${from}) ORDER BY start_date, contract_id`);
  if (rows.length === 0) return [];
  const contract_id = rows.map((each) => Number(each.contract_id));
  const named = Map.groupBy(
    await db.findBy(ContractAsset, { contract_id: In(contract_id) }),
    (each) => each.contract_id,
  );
  const links = named.size === 0 ? [] : await db.findBy(TicketAsset, { ticket_id: In([...new Set(ticket_ids)]) });
  const assetsOf = Map.groupBy(links, (each) => each.ticket_id);
  return rows.map((row) => {
    const id = Number(row.contract_id);
    const assets = named.get(id) && new Set(named.get(id)?.map((each) => each.asset_id));
    return {
      ...row,
      contract_id: id,
      minutes: Number(row.minutes),
      covers: (ticket_id) => !assets || (assetsOf.get(ticket_id) ?? []).some((each) => assets.has(each.asset_id)),
    };
  });
}
