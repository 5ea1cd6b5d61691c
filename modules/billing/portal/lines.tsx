// The lines of an invoice or a proposal, with their sum.
import { money, number, percent, SimpleTable, unitPrice, type Column, t } from '@keelson/web';

export interface LineItem {
  readonly line_item_id: number;
  readonly description: string;
  readonly quantity: number;
  readonly unit_price: number;
  readonly amount: number;
  /** In per cent; proposals have none. */
  readonly tax_rate?: number;
}

const taxOf = ({ tax_rate = 0 }: LineItem): string => percent(tax_rate);

export function LineItems({ lines, currency }: { lines: readonly LineItem[]; currency: string }) {
  const mixed = new Set(lines.map((each) => each.tax_rate)).size > 1;
  const columns: readonly Column<LineItem>[] = [
    { key: 'description', title: t('What'), width: '', cell: (each) => each.description },
    { key: 'quantity', title: t('Quantity'), width: '', look: 'right', cell: (each) => number(each.quantity) },
    { key: 'unit', title: t('Price'), width: '', look: 'right', cell: (each) => unitPrice(each.unit_price, currency) },
    ...(mixed ? [{ key: 'tax', title: t('Tax'), width: '', look: 'right', cell: taxOf } as const] : []),
    { key: 'amount', title: t('Amount'), width: '', look: 'right', cell: (each) => money(each.amount, currency) },
  ];
  return <SimpleTable label={t('Lines')} rows={lines} columns={columns} />;
}
