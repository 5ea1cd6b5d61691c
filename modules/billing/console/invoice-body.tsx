// What an invoice that is written in the form means to the interface.
import { rawText } from '@keelson/web';
import type { InvoiceValues } from './invoice-form.tsx';
import { numbersOf, written } from './line-editor.tsx';
import type { DraftLine } from './line-sums.ts';

const rateOf = (text: string): number | undefined => (text.trim() === '' ? undefined : Number(text.replace(',', '.')));

/** The body without the company: dates that are empty are left to the server. */
export function bodyOf({ tax_rate, lines }: InvoiceValues, given: FormData) {
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

/** A line whose own rate was taken away is told the invoice's: without one it would keep what it had. */
function taxOf(line: DraftLine, invoices: number) {
  const tax_rate = rateOf(line.tax_rate) ?? (line.own ? invoices : undefined);
  const taxable = line.taxable === false && tax_rate ? true : line.taxable;
  return { ...(taxable !== undefined && { taxable }), ...(tax_rate !== undefined && { tax_rate }) };
}
