// The columns that lines of invoices, proposals, subscriptions and credit notes share.
import { money, number, percent, t, unitPrice, type Column } from '@keelson/web';

export const quantityColumn: Column<{ readonly quantity: number }> = {
  key: 'quantity',
  title: t('Quantity'),
  width: '',
  look: 'right',
  cell: (each) => number(each.quantity),
};

export const priceColumn = (currency: string): Column<{ readonly unit_price: number }> => ({
  key: 'price',
  title: t('Unit price'),
  width: '',
  look: 'right',
  cell: (each) => unitPrice(each.unit_price, currency),
});

export const taxColumn: Column<{ readonly tax_rate: number }> = {
  key: 'tax',
  title: t('Tax'),
  width: '',
  look: 'right',
  cell: (each) => percent(each.tax_rate),
};

export const amountColumn = (currency: string): Column<{ readonly amount: number }> => ({
  key: 'amount',
  title: t('Amount'),
  width: '',
  look: 'right',
  cell: (each) => money(each.amount, currency),
});
