// Form for new subscriptions of a company: one per line of a table.
import {
  addressWith,
  Form,
  RecordField,
  RecordPage,
  SelectField,
  TextField,
  texts,
  toast,
  useChange,
  useItem,
  useGo,
  useSearchParams,
  useSession,
  t,
} from '@keelson/web';
import { useState } from 'react';
import { emptyLine, LineEditor, numbersOf, written } from './line-editor.tsx';
import { sumsOf, type DraftLine } from './line-sums.ts';
import { Totals } from './totals.tsx';

const cycles = [
  { value: 'monthly', label: t('Monthly') },
  { value: 'quarterly', label: t('Quarterly') },
  { value: 'annual', label: t('Annual') },
] as const;
type Cycle = (typeof cycles)[number]['value'];

export default function CreateSubscriptions() {
  const [params] = useSearchParams();
  const go = useGo();
  const { tenant } = useSession();
  const [lines, setLines] = useState<readonly DraftLine[]>(() => [emptyLine()]);
  const rate = String(useItem('GET /billing/subscription-invoices.php').data?.tax_rate ?? 0);
  const create = useChange('POST /billing/subscriptions.php', {
    quiet: true,
    touches: ['/billing'],
    done: ({ subscriptions: [first, ...more] }) => {
      toast(
        more.length === 0 ? t('Subscription created') : t('{count} subscriptions created', { count: more.length + 1 }),
      );
      go(first && more.length === 0 ? addressWith('/subscriptions/:id', first.subscription_id) : '/subscriptions');
    },
  });
  const submit = (given: FormData) => {
    const { start_date, end_date, billing_cycle } = texts(given, 'start_date', 'end_date', 'billing_cycle');
    create.mutate({
      body: {
        company_number: Number(given.get('company_number')),
        ...(start_date && { start_date }),
        ...(end_date && { end_date }),
        line_items: written(lines).map((line) => ({
          name: line.description.trim(),
          ...numbersOf(line),
          billing_cycle: billing_cycle as Cycle,
          ...(line.tax_rate.trim() !== '' && { tax_rate: Number(line.tax_rate.replace(',', '.')) }),
          ...(line.product_id !== undefined && { product_id: line.product_id }),
        })),
      },
    });
  };
  return (
    <RecordPage title={t('New subscriptions')} back={{ to: '/subscriptions', title: t('Back to the subscriptions') }}>
      <div className="invoice-paper">
        <Form
          submit={t('Create')}
          busy={create.isPending}
          error={create.error}
          onCancel={() => history.back()}
          onSubmit={submit}
        >
          <RecordField
            type="company"
            name="company_number"
            label={t('Company')}
            required
            value={Number(params.get('company_number')) || undefined}
          />
          <div className="trio">
            <TextField name="start_date" label={t('Starts')} type="date" hint={t('Leave empty to start today.')} />
            <TextField name="end_date" label={t('Ends')} type="date" hint={t('Leave empty for no end date.')} />
            <SelectField name="billing_cycle" label={t('Billed')} required value="monthly" choices={cycles} />
          </div>
          <LineEditor lines={lines} onChange={setLines} currency={tenant.currency} rate={rate} />
          <Totals sums={sumsOf(lines, rate, tenant.currency)} currency={tenant.currency} />
          <p className="tone-muted">
            {t('Each line becomes a subscription. Its first period is billed within the hour, or when it starts.')}
          </p>
        </Form>
      </div>
    </RecordPage>
  );
}
