// What a ticket shows of other modules: the assets it is about and the contracts that cover it. Their modules fill the slots.
import { readSlot, slot, z, type Context } from '@keelson/core';
import { TicketAsset, type Ticket } from './entities.ts';

export const LinkedAsset = z.object({ asset_id: z.int(), machine_name: z.string() });

/** The short form of a contract (F-14). */
export const LinkedContract = z.object({
  contract_id: z.int(),
  name: z.string(),
  contract_type: z.string(),
  status: z.string(),
  start_date: z.iso.date().nullable(),
  end_date: z.iso.date().nullable(),
});
export type LinkedContract = z.infer<typeof LinkedContract>;

/** What tickets have to know of an asset, by its id; null for one that is deleted or never was. */
export const KnownAssets = slot('ticket.assets', LinkedAsset.extend({ company_number: z.int() }).nullable(), null);

/** The active contracts that cover a ticket's assets, or its whole company (T-12). */
export const TicketContracts = slot('ticket.contracts', z.array(LinkedContract), []);

export interface Links {
  readonly assets: z.infer<typeof LinkedAsset>[];
  readonly contracts: LinkedContract[];
}

/** The assets a ticket is about, the first one first, and the contracts that cover it (T-10, T-12). */
export async function readLinks(ctx: Context, { ticket_id }: Ticket): Promise<Links> {
  const order = [
    ['created_at', 'ASC'],
    ['asset_id', 'ASC'],
  ] as const;
  const ids = (await ctx.db.find(TicketAsset, { ticket_id }, { order })).map(({ asset_id }) => asset_id);
  const assetOf = await readSlot(ctx, KnownAssets, ids);
  const contractsOf = await readSlot(ctx, TicketContracts, [ticket_id]);
  const assets = ids.flatMap((asset_id) => {
    const known = assetOf(asset_id);
    return known ? [{ asset_id, machine_name: known.machine_name }] : [];
  });
  return { assets, contracts: contractsOf(ticket_id) };
}
