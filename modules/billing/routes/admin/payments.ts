import { admin, administrators, created, findOr404, input, item, list, pageOf, showOne } from '@keelson/core';
import { bodyObject } from '../../line-words.ts';
import { moneyInput } from '../../money.ts';
import { paymentMethods } from '../../payments/entities.ts';
import { PaymentItem, PaymentNoun } from '../../payments/payment-list.ts';
import { recordPayment } from '../../payments/payments.ts';
import { ReadBilling, WriteBilling } from '../../permissions.ts';

const NO_FEES = 'is not supported: amount is the part that pays the invoice';

export default [
  admin.get('/billing/payments.php', {
    title: 'List payments',
    access: ReadBilling,
    query: admin.paging(PaymentItem.query),
    returns: list(PaymentItem),
    handle: (ctx, { query }) => pageOf(ctx, PaymentItem, query),
  }),
  admin.get('/billing/payments.php?id={id}', {
    title: 'Read a payment',
    addition: true,
    access: ReadBilling,
    returns: item(PaymentItem),
    load: (ctx, { id }) => findOr404(ctx, PaymentNoun, id),
    handle: (ctx, { item: payment }) => showOne(ctx, PaymentItem, payment),
  }),
  admin.post('/billing/payments.php', {
    title: 'Record a payment',
    access: administrators(WriteBilling),
    body: bodyObject(
      {
        invoice_id: input.id(),
        amount: moneyInput.amount(),
        method: input.optional(input.choice(paymentMethods)),
        reference: input.optionalText(255),
        paid_at: input.optional(input.day()),
        notes: input.optionalLongText(),
      },
      {
        currency: 'is not supported: a payment is in the currency of its invoice',
        ...{ date: 'is not supported: use paid_at', payment_date: 'is not supported: use paid_at' },
        payment_method: 'is not supported: use method',
        invoice_number: 'is not supported: use invoice_id',
        ...{ fee: NO_FEES, fees: NO_FEES, discount: NO_FEES },
      },
    ),
    returns: created(PaymentItem),
    handle: (ctx, { body }) => showOne(ctx, PaymentItem, recordPayment(ctx, body)),
  }),
];
