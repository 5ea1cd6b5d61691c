// The lines of a proposal.
import { fromMinor, z, type Context } from '@keelson/core';
import { sumsOf } from '../invoices/lines.ts';
import { amountOf, fromParts, unitOf } from '../money.ts';
import { ProposalLine } from './entities.ts';

export interface NewProposalLine {
  readonly description: string;
  /** In ten-thousandths. */
  readonly quantity_parts: number;
  /** Exact decimal text. */
  readonly unit_price: string;
}

export const ProposalLineItem = z.object({
  line_item_id: z.int(),
  description: z.string(),
  quantity: z.number(),
  unit_price: z.number(),
  amount: z.number(),
});

/**
 * Returns the total of the lines, in minor units. Tax is added on the invoice.
 * @throws invalid() for amounts that cannot be exact
 */
export function totalOf(lines: readonly NewProposalLine[], currency: string): number {
  return sumsOf(lines, { currency, tax_ppm: 0 }).subtotal_minor;
}

/** Replaces the lines, stored in this order. */
export async function storeLines(
  ctx: Context,
  { proposal_id, currency }: { readonly proposal_id: number; readonly currency: string },
  lines: readonly NewProposalLine[],
): Promise<void> {
  const unit = unitOf(currency);
  await ctx.db.delete(ProposalLine, { proposal_id });
  await ctx.db.insert(
    ProposalLine,
    lines.map(({ description, quantity_parts, unit_price }, position) => ({
      proposal_id,
      position,
      description,
      quantity_parts,
      unit_price,
      amount_minor: amountOf({ quantity_parts, unit_price }, unit),
    })),
  );
}

/** Returns the lines of a proposal, in order. */
export const readLines = (ctx: Context, proposal_id: number): Promise<ProposalLine[]> =>
  ctx.db.find(ProposalLine, { where: { proposal_id }, order: { position: 'ASC' } });

export const showLine = (line: ProposalLine): z.infer<typeof ProposalLineItem> => ({
  line_item_id: line.line_item_id,
  description: line.description,
  quantity: fromParts(line.quantity_parts),
  unit_price: Number(line.unit_price),
  amount: fromMinor(line.amount_minor),
});
