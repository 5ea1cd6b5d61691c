// Dialog that mails an invoice to chosen recipients, with a personal message.
import {
  Bones,
  Dialog,
  Failed,
  Form,
  MailPreview,
  Note,
  rawText,
  TextField,
  toast,
  useChange,
  useItem,
  useRested,
  type Data,
  t,
} from '@keelson/web';
import { useEffect, useState, type FormEvent } from 'react';
import type { Invoice } from './invoice-page.tsx';

/** Milliseconds without typing before the mail is rendered again. */
const REST = 500;
const READ = 'GET /billing/invoices.php?action=recipients&id={id}';
type Recipient = Data<typeof READ>[number];

interface SendInvoiceProps {
  readonly invoice: Pick<Invoice, 'invoice_id' | 'invoice_number' | 'company_name' | 'status'>;
  readonly open: boolean;
  readonly onClose: () => void;
}

export function SendInvoice({ invoice, open, onClose }: SendInvoiceProps) {
  const { data, error, refetch } = useItem(READ, { id: invoice.invoice_id }, { enabled: open });
  return (
    <Dialog
      title={t('Send {invoice_number}', { invoice_number: invoice.invoice_number })}
      open={open}
      onClose={onClose}
    >
      {error ? (
        <Failed error={error} retry={() => void refetch()} />
      ) : data ? (
        <Choose invoice={invoice} people={data} onClose={onClose} />
      ) : (
        <Bones />
      )}
    </Dialog>
  );
}

interface ChooseProps extends Omit<SendInvoiceProps, 'open'> {
  readonly people: readonly Recipient[];
}

function Choose({ invoice, people, onClose }: ChooseProps) {
  const send = useChange('POST /billing/invoices.php?action=send&id={id}', {
    quiet: true,
    touches: ['/billing'],
    done: () => {
      toast(t('{invoice_number} sent', { invoice_number: invoice.invoice_number }));
      onClose();
    },
  });
  const usual = people.filter((each) => each.usual);
  const [mailing, setMailing] = useState<Mailing>({
    employee_numbers: usual.map((each) => each.employee_number),
    message: '',
  });
  const onInput = (event: FormEvent<HTMLDivElement>) => {
    const form = (event.target as HTMLElement).closest('form');
    if (form) setMailing(mailingIn(new FormData(form)));
  };
  return (
    <div onInput={onInput}>
      <Form
        submit={t('Send')}
        busy={send.isPending}
        error={send.error}
        onCancel={onClose}
        onSubmit={(given) => send.mutate({ id: invoice.invoice_id, body: mailingIn(given) })}
      >
        <fieldset className="recipients">
          <legend>{t('Recipients at {company_name}', { company_name: invoice.company_name })}</legend>
          {people.map(({ employee_number, name, address, usual: chosen }) => (
            <label key={employee_number}>
              <input type="checkbox" name="employee_numbers" value={employee_number} defaultChecked={chosen} />
              <span>
                {name} <span className="tone-muted">{address}</span>
              </span>
            </label>
          ))}
        </fieldset>
        {usual.length === 0 && (
          <Note tone="muted">
            {t(
              'No one at this company can view invoices. Without a recipient, the invoice goes to the company’s own email address.',
            )}
          </Note>
        )}
        <TextField name="message" label={t('Message')} lines={4} hint={t('Shown in the mail above the amount.')} />
        <Preview id={invoice.invoice_id} mailing={mailing} />
      </Form>
    </div>
  );
}

interface Mailing {
  readonly employee_numbers: readonly number[];
  readonly message: string;
}

function mailingIn(given: FormData): Mailing {
  return { employee_numbers: given.getAll('employee_numbers').map(Number), message: rawText(given, 'message') };
}

function Preview({ id, mailing }: { id: number; mailing: Mailing }) {
  const { mutate, data, error } = useChange('POST /billing/invoices.php?action=preview-mail&id={id}', { quiet: true });
  const rested = useRested(JSON.stringify(mailing), REST);
  useEffect(() => mutate({ id, body: JSON.parse(rested) as Mailing }), [mutate, id, rested]);
  if (!data) return error ? <Failed error={error} /> : <Bones />;
  const { recipient, subject, text, attached } = data.data;
  if (!recipient) return <Note tone="warn">{t('This company has no address for invoices. Choose a recipient.')}</Note>;
  return (
    <MailPreview title={t('Mail to {recipient}', { recipient })} subject={subject} text={text} attached={[attached]} />
  );
}
