// Seeds companies with billing, and their invoices.
import { createDraftInvoice, type NewInvoice } from '@keelson/modules/billing';
import { changeModules, Company } from '@keelson/modules/directory';
import type { TestApp } from '@keelson/testing';
import { seedCompany } from './accounts-seed.ts';

/** Creates a company with billing enabled. */
export async function seedPayer(app: TestApp) {
  const company = await seedCompany(app);
  await switchBilling(app, company.company_number, true);
  return company;
}

export async function switchBilling(app: TestApp, company_number: number, billing: boolean): Promise<void> {
  const company = await app.app.database.findOneBy(Company, { company_number });
  if (company) await app.run((ctx) => changeModules(ctx, company, { billing }));
}

export const line = { description: 'Work', quantity_parts: 10_000, unit_price: '100' } as const;

export function seedInvoice(app: TestApp, given: Partial<NewInvoice> & { company_number: number }) {
  return app.run((ctx) => createDraftInvoice(ctx, { lines: [line], ...given }));
}
