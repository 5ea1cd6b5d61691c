// Whether contacts can move appointments.
import { Bones, Card, CheckField, Failed, Form, rawText, toast, useChange, useItem, useMay, t } from '@keelson/web';

export default function SettingsCard() {
  const { data, error } = useItem('GET /dispatch/settings.php');
  const may = useMay();
  const change = useChange('PUT /dispatch/settings.php', {
    quiet: true,
    touches: ['/dispatch/settings.php'],
    done: () => toast(t('Appointments saved')),
  });
  if (error) return <Failed error={error} />;
  if (!data) return <Bones />;
  const mayWrite = may('settings:write') || may('settings:write (session: administrator)');
  const submit = (given: FormData) =>
    change.mutate({ body: { contacts_move: rawText(given, 'contacts_move') === 'true' } });
  return (
    <Card title={t('Appointments')}>
      <Form
        submit={t('Save')}
        error={change.error}
        busy={change.isPending || !mayWrite}
        names={['contacts_move']}
        onSubmit={submit}
      >
        <CheckField
          name="contacts_move"
          label={t('Contacts can move appointments to another time')}
          hint={t('To free times of the technician, up to 24 hours before and at most twice.')}
          checked={data.contacts_move}
        />
      </Form>
    </Card>
  );
}
