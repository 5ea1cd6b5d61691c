// The lines of an invoice or a proposal, with their sum.
import { money, SimpleTable, type Column } from '@keelson/web';

export interface LineItem {
  readonly line_item_id: number;
  readonly description: string;
  readonly quantity: number;
  readonly unit_price: number;
  readonly amount: number;
}

export function LineItems({ lines, currency }: { lines: readonly LineItem[]; currency: string }) {
  const columns: readonly Column<LineItem>[] = [
    { key: 'description', title: 'What', width: '', cell: (each) => each.description },
    { key: 'quantity', title: 'Quantity', width: '', look: 'right', cell: (each) => each.quantity },
    { key: 'unit', title: 'Price', width: '', look: 'right', cell: (each) => money(each.unit_price, currency) },
    { key: 'amount', title: 'Amount', width: '', look: 'right', cell: (each) => money(each.amount, currency) },
  ];
  return <SimpleTable label="Lines" rows={lines} columns={columns} />;
}
