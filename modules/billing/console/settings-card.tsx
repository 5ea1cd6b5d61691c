// The usual tax rate, and whether recurring invoices are sent without a person.
import { rawText, SelectField, SettingsCard, TextField, useMay, useSession, t } from '@keelson/web';
import { decimalText } from './decimals.tsx';

const choices = [
  { value: 'draft', label: t('Create drafts to check and send') },
  { value: 'sent', label: t('Send immediately') },
];

export default function InvoiceSettings() {
  const { person } = useSession();
  const may = useMay();
  return (
    <SettingsCard
      title={t('Invoices')}
      read="GET /billing/subscription-invoices.php"
      write="PUT /billing/subscription-invoices.php"
      may={may('billing:write') && person.role === 'administrator'}
      change={(given) => ({
        body: {
          tax_rate: Number(rawText(given, 'tax_rate').replace(',', '.') || 0),
          status: rawText(given, 'status') === 'sent' ? 'sent' : 'draft',
        },
      })}
    >
      {({ tax_rate, status }) => (
        <>
          <TextField
            name="tax_rate"
            label={t('Tax %')}
            value={tax_rate === 0 ? '' : decimalText(String(tax_rate))}
            hint={t('Suggested for new invoices, and used for subscriptions without their own rate.')}
          />
          <SelectField name="status" label={t('Invoices of subscriptions')} required value={status} choices={choices} />
        </>
      )}
    </SettingsCard>
  );
}
