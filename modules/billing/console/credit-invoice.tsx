// Dialog that credits lines of an invoice.
import {
  Bones,
  Button,
  CheckField,
  Dialog,
  Failed,
  Form,
  money,
  number,
  rawText,
  TextField,
  toast,
  unitPrice,
  useChange,
  useItem,
  useGo,
  type Data,
  t,
  percent,
} from '@keelson/web';
import { useState } from 'react';
import { decimalText } from './decimals.tsx';
import type { Invoice } from './invoice-page.tsx';
import { sumsOf } from './line-sums.ts';
import { Totals } from './totals.tsx';

const READ = 'GET /billing/invoices.php?action=creditable&id={id}';
type Line = Data<typeof READ>[number];

interface CreditInvoiceProps {
  readonly invoice: Invoice;
  readonly onClose: () => void;
}

export function CreditInvoice({ invoice, onClose }: CreditInvoiceProps) {
  const { data, error, refetch } = useItem(READ, { id: invoice.invoice_id });
  return (
    <Dialog
      title={t('Credit {invoice_number}', { invoice_number: invoice.invoice_number })}
      open
      onClose={onClose}
      wide
    >
      {error ? (
        <Failed error={error} retry={() => void refetch()} />
      ) : data ? (
        <Choose invoice={invoice} lines={data.filter((each) => each.left_quantity > 0)} onClose={onClose} />
      ) : (
        <Bones />
      )}
    </Dialog>
  );
}

/** Converts what was typed; NaN for anything else. */
const numberIn = (text: string): number => Number(text.replace(',', '.'));

function Choose({ invoice, lines, onClose }: CreditInvoiceProps & { readonly lines: readonly Line[] }) {
  const { invoice_id, currency, balance_due } = invoice;
  const go = useGo();
  const [quantities, setQuantities] = useState<Readonly<Record<number, string>>>({});
  const credit = useChange('POST /billing/credit-notes.php', {
    quiet: true,
    touches: ['/billing'],
    done: ({ credit_note_id, credit_note_number }) => {
      toast(t('{credit_note_number} issued', { credit_note_number }));
      onClose();
      go(`/credit-notes/${credit_note_id}`);
    },
  });
  const chosen = lines.filter((each) => numberIn(quantities[each.line_item_id] ?? '') > 0);
  const sums = sumsOf(
    chosen.map((each) => ({
      key: String(each.line_item_id),
      description: each.description,
      quantity: `${each.quantity < 0 ? '' : '-'}${quantities[each.line_item_id]}`,
      unit_price: String(each.unit_price),
      tax_rate: String(each.tax_rate),
    })),
    '0',
    currency,
  );
  const left = -sums.total - balance_due;
  if (lines.length === 0) return <p>{t('This invoice is fully credited.')}</p>;
  return (
    <Form
      submit={t('Issue the credit note')}
      busy={credit.isPending}
      error={credit.error}
      onCancel={onClose}
      onSubmit={(given) => {
        const issue_date = rawText(given, 'issue_date');
        credit.mutate({
          body: {
            invoice_id,
            reason: rawText(given, 'reason').trim(),
            ...(issue_date && { issue_date }),
            mail: given.get('mail') !== null,
            line_items: chosen.map(({ line_item_id }) => ({
              line_item_id,
              quantity: numberIn(quantities[line_item_id] ?? ''),
            })),
          },
        });
      }}
    >
      <div className="line-editor">
        <table>
          <thead>
            <tr>
              <th scope="col">{t('Description')}</th>
              <th scope="col" className="right">
                {t('Quantity left')}
              </th>
              <th scope="col" className="right">
                {t('Unit price')}
              </th>
              <th scope="col" className="right">
                {t('Quantity to credit')}
              </th>
            </tr>
          </thead>
          <tbody>
            {lines.map((each, index) => (
              <tr key={each.line_item_id}>
                <td data-title={t('Description')}>
                  {each.description}{' '}
                  <small className="tone-muted">{t('{rate} tax', { rate: percent(each.tax_rate) })}</small>
                </td>
                <td className="right amount" data-title={t('Quantity left')}>
                  {number(each.left_quantity)}
                </td>
                <td className="right amount" data-title={t('Unit price')}>
                  {unitPrice(each.unit_price, currency)}
                </td>
                <td className="right" data-title={t('Quantity to credit')}>
                  <input
                    className="input"
                    inputMode="decimal"
                    aria-label={t('Quantity to credit on line {number}', { number: index + 1 })}
                    pattern="[0-9]*[.,]?[0-9]*"
                    value={decimalText(quantities[each.line_item_id] ?? '')}
                    onChange={(event) => setQuantities({ ...quantities, [each.line_item_id]: event.target.value })}
                  />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
        <div className="line-acts">
          <Button
            size="small"
            onClick={() =>
              setQuantities(Object.fromEntries(lines.map((each) => [each.line_item_id, String(each.left_quantity)])))
            }
          >
            {t('Credit everything')}
          </Button>
        </div>
      </div>
      <Totals sums={sums} currency={currency} />
      {left > 0 && sums.total < 0 && (
        <p className="tone-muted">
          {t('{left} is more than is owed on this invoice: set it against another one, or refund it.', {
            left: money(left, currency),
          })}
        </p>
      )}
      <TextField
        name="reason"
        label={t('Reason')}
        lines={2}
        required
        hint={t('Shown to the customer on the credit note.')}
      />
      <TextField name="issue_date" label={t('Issue date')} type="date" hint={t('Today, if left empty.')} />
      <CheckField name="mail" label={t('Send it to the contacts who can view invoices')} checked />
    </Form>
  );
}
