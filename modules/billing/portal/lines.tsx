// The lines of an invoice or a proposal, with their sum.
import { money, SimpleTable, unitPrice, type Column } from '@keelson/web';

export interface LineItem {
  readonly line_item_id: number;
  readonly description: string;
  readonly quantity: number;
  readonly unit_price: number;
  readonly amount: number;
  /** In per cent; proposals have none. */
  readonly tax_rate?: number;
}

const taxOf = ({ tax_rate = 0 }: LineItem): string => `${tax_rate} %`;

export function LineItems({ lines, currency }: { lines: readonly LineItem[]; currency: string }) {
  const mixed = new Set(lines.map((each) => each.tax_rate)).size > 1;
  const columns: readonly Column<LineItem>[] = [
    { key: 'description', title: 'What', width: '', cell: (each) => each.description },
    { key: 'quantity', title: 'Quantity', width: '', look: 'right', cell: (each) => each.quantity },
    { key: 'unit', title: 'Price', width: '', look: 'right', cell: (each) => unitPrice(each.unit_price, currency) },
    ...(mixed ? [{ key: 'tax', title: 'Tax', width: '', look: 'right', cell: taxOf } as const] : []),
    { key: 'amount', title: 'Amount', width: '', look: 'right', cell: (each) => money(each.amount, currency) },
  ];
  return <SimpleTable label="Lines" rows={lines} columns={columns} />;
}
