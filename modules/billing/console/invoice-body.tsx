// Request body of the invoice form.
import { rawText } from '@keelson/web';
import type { FilledIn } from './invoice-form.tsx';
import { numbersOf, written } from './line-editor.tsx';
import type { DraftLine } from './line-sums.ts';

const rateOf = (text: string): number | undefined => (text.trim() === '' ? undefined : Number(text.replace(',', '.')));

/** Returns the body without the company. Empty dates are left to the server's defaults. */
export function bodyOf({ values: { tax_rate, lines }, given }: FilledIn) {
  const [issue_date, due_date] = [rawText(given, 'issue_date'), rawText(given, 'due_date')];
  return {
    ...(issue_date && { issue_date }),
    ...(due_date && { due_date }),
    tax_rate: rateOf(tax_rate) ?? 0,
    notes: rawText(given, 'notes'),
    line_items: written(lines).map((line) => ({
      ...(line.line_item_id !== undefined && { line_item_id: line.line_item_id }),
      description: line.description.trim(),
      ...numbersOf(line),
      ...taxOf(line, rateOf(tax_rate) ?? 0),
    })),
  };
}

/** Sends the invoice's rate for a line whose own rate was cleared: omitting it would keep the stored rate. */
function taxOf(line: DraftLine, invoices: number) {
  const tax_rate = rateOf(line.tax_rate) ?? (line.own ? invoices : undefined);
  const taxable = line.taxable === false && tax_rate ? true : line.taxable;
  return { ...(taxable !== undefined && { taxable }), ...(tax_rate !== undefined && { tax_rate }) };
}
