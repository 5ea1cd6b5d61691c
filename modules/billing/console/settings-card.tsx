// The usual tax rate, and whether recurring invoices are sent without a person.
import {
  Bones,
  Card,
  Failed,
  Form,
  rawText,
  SelectField,
  TextField,
  toast,
  useChange,
  useItem,
  useMay,
  useSession,
  t,
} from '@keelson/web';

const SETTINGS = 'GET /billing/subscription-invoices.php';
const names = ['tax_rate', 'status'];
const choices = [
  { value: 'draft', label: t('Create drafts to check and send') },
  { value: 'sent', label: t('Send immediately') },
];

export default function SettingsCard() {
  const { person } = useSession();
  const writes = useMay()('billing:write') && person.role === 'administrator';
  const { data, error } = useItem(SETTINGS);
  const change = useChange('PUT /billing/subscription-invoices.php', {
    quiet: true,
    touches: ['/billing/subscription-invoices.php'],
    done: () => toast(t('Saved')),
  });
  if (error) return <Failed error={error} />;
  if (!data) return <Bones />;
  const submit = (given: FormData) =>
    change.mutate({
      body: {
        tax_rate: Number(rawText(given, 'tax_rate').replace(',', '.') || 0),
        status: rawText(given, 'status') === 'sent' ? 'sent' : 'draft',
      },
    });
  return (
    <Card title={t('Invoices')}>
      <Form submit={t('Save')} error={change.error} busy={change.isPending || !writes} names={names} onSubmit={submit}>
        <TextField
          name="tax_rate"
          label={t('Tax %')}
          value={data.tax_rate === 0 ? '' : String(data.tax_rate)}
          hint={t('Suggested for new invoices, and used for subscriptions without their own rate.')}
        />
        <SelectField
          name="status"
          label={t('Invoices of subscriptions')}
          required
          value={data.status}
          choices={choices}
        />
      </Form>
    </Card>
  );
}
