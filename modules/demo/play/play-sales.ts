// Sales data of the demo's provider: a marketplace, the first customer's purchases, and proposals in every status.
import { dayOf, plus, type App, type Context } from '@keelson/core';
import { theSystem, type Author } from '@keelson/core/log';
import { employeeName } from '@keelson/core/surfaces';
import { contextOf } from '@keelson/core/system';
import {
  billSubscriptions,
  createProduct,
  createProposal,
  decideProposal,
  lockProposal,
  purchase,
  sendProposal,
  type NewProposal,
} from '@keelson/modules/billing';
import type { Customer, Staff } from '../people.ts';

const products = [
  { name: 'Mail protection', vendor: 'Hornetsecurity', category: 'Security', price_minor: 2500, quantity: 25 },
  { name: 'Backup of Microsoft 365', vendor: 'Acronis', category: 'Backup', price_minor: 3900, quantity: 25 },
  { name: 'Managed firewall', vendor: 'Sophos', category: 'Network', price_minor: 89_000, quantity: 2 },
  { name: 'Phone line', vendor: 'Cascade Fiber', category: 'Telephony', price_minor: 15_000, quantity: 0 },
  {
    name: 'Fax to mail',
    vendor: 'Cascade Fiber',
    category: 'Telephony',
    price_minor: 7000,
    quantity: 0,
    active: false,
  },
] as const;

/** Adds products, subscriptions with their invoices up to today, and proposals. */
export async function playSales(
  app: App,
  { staff, customer }: { readonly staff: Staff; readonly customer: Customer },
): Promise<void> {
  const { user_id, name } = staff.administrator;
  const administrator: Author = { type: 'technician', id: user_id, name };
  const { company_number } = customer.company;
  await at(app, administrator, 50).transaction(async (ctx) => {
    for (const { quantity, ...product } of products) {
      const { product_id } = await createProduct(ctx, product);
      if (quantity > 0) await purchase(ctx, { product_id, company_number, quantity });
    }
  });
  await billSubscriptions(at(app, theSystem, 0));

  const propose = (days: number, given: Omit<NewProposal, 'company_number'>) =>
    at(app, administrator, days).transaction((ctx) => createProposal(ctx, { ...given, company_number }));
  const submit = async (days: number, given: Omit<NewProposal, 'company_number'>) => {
    const { proposal_id } = await propose(days + 1, given);
    return at(app, administrator, days).transaction(async (ctx) =>
      sendProposal(ctx, await lockProposal(ctx, proposal_id)),
    );
  };
  const scanner = await submit(30, {
    title: 'Scanner for the front desk',
    description: 'Scans both sides at 40 pages a minute, straight into patients’ files.',
    lines: [line('Document scanner', 1, '429'), line('Installation, hours', 1.5, '95')],
  });
  await decide(app, customer, { days: 27, decision: { action: 'accept' }, proposal: scanner });
  const camera = await submit(20, {
    title: 'Cameras for the car park',
    lines: [line('Camera, weatherproof', 4, '219'), line('Cabling', 1, '650')],
  });
  const refusal = { action: 'reject', reason: 'Not this year.' } as const;
  await decide(app, customer, { days: 18, decision: refusal, proposal: camera });
  await submit(2, {
    title: 'New practice server',
    description: 'Replaces the server whose warranty ends this month.',
    valid_until: dayOf(plus(app.clock.now(), { days: 28 })),
    lines: [
      line('Server, 2 × 960 GB, three years next business day', 1, '4890'),
      line('Move of all data, hours', 12, '95'),
    ],
  });
  await propose(0, { title: 'Wi-Fi at Lakeside', lines: [line('Access point', 5, '179')] });
}

const line = (description: string, quantity: number, unit_price: string) => ({
  description,
  quantity_parts: quantity * 10_000,
  unit_price,
});

/** Returns a context of the author, some days ago. */
function at(app: App, author: Author, days: number): Context<undefined> {
  return contextOf({ app, actor: undefined, author, now: plus(app.clock.now(), { days: -days }) });
}

interface Decided {
  readonly days: number;
  readonly decision: Parameters<typeof decideProposal>[2];
  readonly proposal: { readonly proposal_id: number };
}

async function decide(app: App, { manager, company }: Customer, { days, decision, proposal }: Decided): Promise<void> {
  const actor = { ...manager, company_name: company.customer, session_id: 0, via: 'token' } as const;
  const author: Author = { type: 'employee', id: manager.employee_number, name: employeeName(manager) };
  const now = plus(app.clock.now(), { days: -days });
  await contextOf({ app, actor, author, now }).transaction(async (ctx) =>
    decideProposal(ctx, await lockProposal(ctx, proposal.proposal_id), decision),
  );
}
