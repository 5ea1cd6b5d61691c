// Spreadsheets of companies. The provider's account may have access to others, so an administrator registers the
// spreadsheets of each company, and a spreadsheet belongs to one company.
import { by, input, invalid, record, view, type Context, type EmployeeActor } from '@keelson/core';
import { CompanyNames, holdCompany } from '@keelson/modules/directory';
import { Spreadsheet } from '../entities.ts';

export const Spreadsheets = record(Spreadsheet, {
  title: 'Spreadsheet',
  call: ({ name }) => name,
  taken: () => 'spreadsheet_id already belongs to a company',
  filters: (its) => ({ company_number: its.is('company_number') }),
  sorts: { created_at: by('created_at') },
  async prepare(ctx, { company_number }, before) {
    if (company_number !== before?.company_number) await holdCompany(ctx, company_number);
  },
});

export const SpreadsheetItem = view(Spreadsheets, {
  more: (its) => ({ company_name: its.name(CompanyNames, 'company_number') }),
});

/** Validates a Google id. Other values, such as `..`, would change the API URL. */
export const spreadsheetId = () =>
  input.text(128).refine((text) => /^[A-Za-z0-9_-]{8,128}$/.test(text), {
    error: 'must be the ID from the URL of a Google spreadsheet',
  });

/**
 * Returns the spreadsheet an employee may write to: the named one of their company, or its only one.
 * @throws invalid() for another company's, if there is none, or if several exist and none is named
 */
export async function spreadsheetFor(ctx: Context<EmployeeActor>, spreadsheet_id: string | undefined): Promise<string> {
  const { company_number } = ctx.actor;
  if (spreadsheet_id !== undefined) {
    const found = await ctx.db.findOneBy(Spreadsheet, { company_number, spreadsheet_id });
    if (found) return found.spreadsheet_id;
    throw invalid('spreadsheet_id must be a spreadsheet that your service provider has set up for your company');
  }
  const [first, ...others] = await ctx.db.find(Spreadsheet, { where: { company_number }, take: 2 });
  if (!first) throw invalid('Your service provider has not set up a spreadsheet for your company');
  if (others.length > 0) throw invalid('spreadsheet_id is required: your company has several spreadsheets');
  return first.spreadsheet_id;
}

/** Request fields of a spreadsheet. */
export const spreadsheetFields = {
  company_number: input.id(),
  name: input.text(255),
  spreadsheet_id: spreadsheetId(),
};
