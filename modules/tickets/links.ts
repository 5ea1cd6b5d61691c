// What a ticket is linked to in other modules. `ticket_asset` holds the ids of assets; assets and contracts are read here
// and nowhere else.
import { z, type Context } from '@keelson/core';
import type { Ticket } from './entities.ts';

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

export interface Links {
  readonly assets: z.infer<typeof LinkedAsset>[];
  readonly contracts: z.infer<typeof LinkedContract>[];
}

/** The assets a ticket is about, and the contracts that cover it (T-10, T-12): none until their module is built. */
export async function readLinks(_ctx: Context, _ticket: Ticket): Promise<Links> {
  return { assets: [], contracts: [] };
}
