import {
  addressWith,
  call,
  IconButton,
  minutes,
  money,
  queries,
  RecordPage,
  RecordPending,
  stale,
  toast,
  toastError,
  useItem,
  useGo,
  useSearchParams,
  useSession,
  useShown,
  t,
} from '@keelson/web';
import { useState } from 'react';
import { bodyOf } from './invoice-body.tsx';
import { InvoiceForm, type FilledIn, type InvoiceValues } from './invoice-form.tsx';
import { emptyLine } from './line-editor.tsx';
import { OpenTime, type ChosenTime } from './open-time.tsx';

export default function CreateInvoice() {
  const [params] = useSearchParams();
  const go = useGo();
  const { tenant } = useSession();
  const [company, setCompany] = useState<number | undefined>(Number(params.get('company_number')) || undefined);
  const usual = useItem('GET /billing/subscription-invoices.php');
  const values = useFirstValues(company, usual.data?.tax_rate);
  const [time, setTime] = useState<ChosenTime>();
  const [choosing, setChoosing] = useState(false);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  const shown = useShown();
  const chosen = time?.body.time_entry_ids.length ?? 0;
  const save = async (wanted: FilledIn) => {
    setBusy(true);
    setError(null);
    try {
      const made = await create(wanted, time);
      await stale(queries, ['/billing']);
      toast(t('Draft {invoice_number} created', { invoice_number: made.invoice_number }));
      go(addressWith('/invoices/:invoice_number', made.invoice_id, made));
    } catch (refusal) {
      if (shown.current) setError(refusal as Error);
      else toastError(refusal);
    }
    setBusy(false);
  };
  const back = { to: '/invoices', title: t('Back to invoices') };
  if (!values)
    return (
      <RecordPending title={t('New invoice')} back={back} error={usual.error} retry={() => void usual.refetch()} />
    );
  return (
    <RecordPage title={t('New invoice')} back={back}>
      <div className="invoice-paper">
        <InvoiceForm
          values={values}
          currency={tenant.currency}
          submit={t('Save draft')}
          busy={busy}
          error={error}
          onCancel={() => history.back()}
          onSubmit={(wanted) => void save(wanted)}
          onCompany={(id) => {
            setCompany(id);
            setTime(undefined);
          }}
          onTime={company ? () => setChoosing(true) : undefined}
        >
          {time && (
            <p className="chosen-time">
              <span className="grow">
                {t('Worked time: {count, plural, one {# entry} other {# entries}}, {duration}', {
                  count: chosen,
                  duration: minutes(time.minutes),
                })}
              </span>
              <b>{money(time.amount, tenant.currency)}</b>
              <IconButton icon="trash" label={t('Remove worked time')} onClick={() => setTime(undefined)} />
            </p>
          )}
        </InvoiceForm>
        {company && (
          <OpenTime
            company_number={company}
            currency={tenant.currency}
            open={choosing}
            onClose={() => setChoosing(false)}
            onChoose={(picked) => {
              setTime(picked);
              setChoosing(false);
            }}
          />
        )}
      </div>
    </RecordPage>
  );
}

/**
 * Creates the invoice with its manual lines, then adds the time. Without manual lines, creates it from the time. If only
 * the time is refused, the invoice is there without it: saving again would create another one.
 */
async function create(wanted: FilledIn, time: ChosenTime | undefined) {
  const company_number = Number(wanted.given.get('company_number'));
  const { line_items, ...terms } = { company_number, ...bodyOf(wanted) };
  if (time && line_items.length === 0)
    return (await call('POST /billing/invoices.php?action=from-time', { body: { ...terms, ...time.body } })).data;
  const made = (await call('POST /billing/invoices.php', { body: { ...terms, line_items } })).data;
  if (!time) return made;
  const { invoice_id: id } = made;
  try {
    return (await call('POST /billing/invoices.php?action=add-time&id={id}', { id, body: time.body })).data;
  } catch (refusal) {
    toastError(refusal);
    return made;
  }
}

/** Returns what a new invoice begins with, once the usual tax rate is known; it stays as it is from then on. */
function useFirstValues(company_number: number | undefined, rate: number | undefined): InvoiceValues | undefined {
  const [values, setValues] = useState<InvoiceValues>();
  if (values || rate === undefined) return values;
  const first = { company_number, tax_rate: rate === 0 ? '' : String(rate), lines: [emptyLine()] };
  setValues(first);
  return first;
}
