// Slots for a ticket's assets and contracts, filled by their modules.
import { In, input, invalid, z, type Context } from '@keelson/core';
import { readSlot, referSlot, showSlot, slot } from '@keelson/core/plugin';
import { TicketAsset, type Ticket } from '../entities.ts';

export const LinkedAsset = z.object({ asset_id: z.int(), machine_name: z.string() });

/** Short form of a contract (F-14). */
export const LinkedContract = z.object({
  contract_id: z.int(),
  name: z.string(),
  contract_type: z.string(),
  status: z.string(),
  start_date: z.iso.date().nullable(),
  end_date: z.iso.date().nullable(),
});
export type LinkedContract = z.infer<typeof LinkedContract>;

/** Asset data by id; null for a deleted or unknown asset. */
export const KnownAssets = slot(
  'ticket.assets',
  LinkedAsset.extend({ company_number: z.int(), asset_type: z.string() }).nullable(),
  null,
);

/** Active contracts that cover a ticket's assets or its whole company (T-12). */
export const TicketContracts = slot('ticket.contracts', z.array(LinkedContract), []);

/** An SLA clock of a ticket. */
export const TicketLevel = z.object({
  kind: z.enum(['response', 'next_response', 'resolution']),
  policy_id: z.int(),
  policy_name: z.string(),
  started_at: z.iso.datetime(),
  target_minutes: z.int(),
  /** Working minutes left while paused; null otherwise. */
  remaining_minutes: z.int().nullable(),
  paused_since: z.iso.datetime().nullable(),
  /** What pauses it; null unless paused. */
  paused_by: z.enum(['on_hold', 'customer', 'approval', 'outage']).nullable(),
  due_at: z.iso.datetime().nullable(),
  breached_at: z.iso.datetime().nullable(),
  met_at: z.iso.datetime().nullable(),
});
export type TicketLevel = z.infer<typeof TicketLevel>;

/** The SLA clocks of a ticket, in order of their start. */
export const TicketLevels = slot('ticket.levels', z.array(TicketLevel), []);

/** A checklist item of a ticket. */
export const ChecklistItem = z.object({
  item_id: z.int(),
  title: z.string(),
  required: z.boolean(),
  assigned_to: z.int().nullable(),
  assigned_name: z.string().nullable(),
  due_date: z.iso.date().nullable(),
  done_at: z.iso.datetime().nullable(),
  done_by: z.string(),
});
export type ChecklistItem = z.infer<typeof ChecklistItem>;

/** The checklist of a ticket, in order. */
export const TicketChecklist = slot('ticket.checklist', z.array(ChecklistItem), []);

/** Reply address of a ticket's mails, and the Message-IDs (with angle brackets) of the mails it came from. */
export const TicketReplies = slot(
  'ticket.replies',
  z.object({
    reply_to: z.string().nullable(),
    references: z.array(z.string()),
    /** The sender of the mails and the address to use; null for the installation. */
    sender: z.string().nullable(),
    from_address: z.string().nullable(),
  }),
  { reply_to: null, references: [], sender: null, from_address: null },
);

/** The page on which the requester of a closed ticket rates it. */
export const TicketSurveys = slot('ticket.survey', z.string().nullable(), null);

export interface Links {
  readonly assets: z.infer<typeof LinkedAsset>[];
  readonly contracts: LinkedContract[];
}

/** Returns a ticket's assets in order of linking, and the contracts that cover it (T-10, T-12). */
export async function readLinks(ctx: Context, { ticket_id }: Ticket): Promise<Links> {
  const order = { created_at: 'ASC', asset_id: 'ASC' } as const;
  const ids = (await ctx.db.find(TicketAsset, { where: { ticket_id }, order })).map(({ asset_id }) => asset_id);
  const assetOf = await showSlot(ctx, KnownAssets, ids);
  const contractsOf = await showSlot(ctx, TicketContracts, [ticket_id]);
  const assets = ids.flatMap((asset_id) => {
    const known = assetOf(asset_id);
    return known ? [{ asset_id, machine_name: known.machine_name }] : [];
  });
  return { assets, contracts: contractsOf(ticket_id) };
}

/** Asset fields of a request body: one asset, or several on the administrative surface (T-10). */
export const assetField = { asset_id: input.clearable(input.id()) };
export const assetFields = { ...assetField, asset_ids: z.array(input.id()).max(100).optional() };

interface NamedAssets {
  readonly asset_id?: number | null | undefined;
  readonly asset_ids?: readonly number[] | undefined;
}

/** Returns the distinct assets named in a body; undefined if it has neither field. */
export function namedAssets({ asset_id, asset_ids }: NamedAssets): readonly number[] | undefined {
  if (asset_ids) return [...new Set(asset_ids)];
  return asset_id === undefined ? undefined : asset_id === null ? [] : [asset_id];
}

/** Returns the types of each ticket's assets. */
export async function readAssetTypes(ctx: Context, ticket_id: readonly number[]): Promise<Map<number, string[]>> {
  if (ticket_id.length === 0) return new Map();
  const links = await ctx.db.findBy(TicketAsset, { ticket_id: In(ticket_id) });
  const assetOf = await readSlot(ctx, KnownAssets, [...new Set(links.map(({ asset_id }) => asset_id))]);
  return new Map(
    [...Map.groupBy(links, (each) => each.ticket_id)].map(([id, its]) => [
      id,
      its.flatMap(({ asset_id }) => assetOf(asset_id)?.asset_type ?? []),
    ]),
  );
}

/** Checks linked assets. @throws invalid() unless all are assets of the company */
export async function checkAssets(ctx: Context, company_number: number, ids: readonly number[]): Promise<void> {
  const assetOf = await referSlot(ctx, KnownAssets, ids);
  if (ids.some((each) => assetOf(each)?.company_number !== company_number))
    throw invalid('asset_id must be an asset of the company');
}

/** Links assets to a ticket stored in the same commit. */
export function linkNew({ tx, now: created_at }: Context, ticket_id: number, ids: readonly number[]): void {
  for (const asset_id of ids) tx?.deferInsert(TicketAsset, { ticket_id, asset_id, created_at });
}

/** Returns link changes for `change` to store and log; empty if unchanged. @throws as `checkAssets` does */
export async function linkChanges(ctx: Context, { ticket_id, company_number }: Ticket, ids: readonly number[]) {
  const before = (await ctx.db.findBy(TicketAsset, { ticket_id })).map(({ asset_id }) => asset_id);
  const added = ids.filter((each) => !before.includes(each));
  const gone = before.filter((each) => !ids.includes(each));
  if (added.length === 0 && gone.length === 0) return {};
  await checkAssets(ctx, company_number, added);
  const inOrder = (of: readonly number[]) => of.toSorted((a, b) => a - b);
  return {
    extra: { asset_ids: [inOrder(before), inOrder(ids)] as const },
    store: async () => {
      if (gone.length > 0) await ctx.db.delete(TicketAsset, { ticket_id, asset_id: In(gone) });
      const created_at = ctx.now;
      await ctx.db.insert(
        TicketAsset,
        added.map((asset_id) => ({ ticket_id, asset_id, created_at })),
      );
    },
  };
}
