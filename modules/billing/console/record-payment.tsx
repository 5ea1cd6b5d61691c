import { Dialog, Form, localToday, SchemaFields, useChange, useFinish, valuesOf, t } from '@keelson/web';
import schema from 'schema:POST /billing/payments.php';
import type { Invoice } from './invoice-page.tsx';
import { decimalsOf } from './line-sums.ts';

const names = ['amount', 'method', 'reference', 'paid_at', 'notes'];

/** Records a payment of an open invoice. Defaults to the remaining balance, today. */
export function RecordPayment({ invoice, onClose }: { invoice: Invoice; onClose: () => void }) {
  const { invoice_id, invoice_number, balance_due, currency } = invoice;
  const finish = useFinish(onClose);
  const pay = useChange('POST /billing/payments.php', {
    quiet: true,
    touches: ['/billing'],
    done: () => finish(t('Payment recorded')),
  });
  return (
    <Dialog title={t('Payment of {invoice_number}', { invoice_number })} open onClose={onClose}>
      <Form
        submit={t('Record', {}, 'verb')}
        busy={pay.isPending}
        error={pay.error}
        onCancel={onClose}
        onSubmit={(given) =>
          pay.mutate({ body: { ...valuesOf(given, schema, names), invoice_id, amount: Number(given.get('amount')) } })
        }
      >
        <SchemaFields
          schema={schema}
          names={names}
          values={{ amount: balance_due.toFixed(decimalsOf(currency)), paid_at: localToday() }}
        />
      </Form>
    </Dialog>
  );
}
