// Seeds products, proposals and subscriptions.
import {
  createProduct,
  createProposal,
  lockProposal,
  purchase,
  sendProposal,
  type NewProduct,
  type NewProposal,
} from '@keelson/modules/billing';
import type { TestApp } from '@keelson/testing';
import { line } from './billing-seed.ts';

export function seedProduct(app: TestApp, given: Partial<NewProduct> = {}) {
  return app.run((ctx) => createProduct(ctx, { name: 'Mail protection', price_minor: 2500, ...given }));
}

/** Creates a subscription to its own product, with its first invoice. */
export async function seedSubscription(
  app: TestApp,
  company_number: number,
  { quantity = 1, ...given }: Partial<NewProduct> & { readonly quantity?: number } = {},
) {
  const { product_id } = await seedProduct(app, given);
  return (await app.run((ctx) => purchase(ctx, { product_id, company_number, quantity }))).subscription;
}

type Given = Partial<NewProposal> & { readonly company_number: number };

export function seedDraft(app: TestApp, given: Given) {
  return app.run((ctx) => createProposal(ctx, { title: 'New firewall', lines: [line], ...given }));
}

/** Creates a proposal that awaits the customer's decision. */
export async function seedProposal(app: TestApp, given: Given) {
  const { proposal_id } = await seedDraft(app, given);
  return app.run(async (ctx) => sendProposal(ctx, await lockProposal(ctx, proposal_id)));
}
