// Whether requesters are asked for a rating.
import { Bones, Card, CheckField, Failed, Form, rawText, toast, useChange, useItem, useMay, t } from '@keelson/web';

export default function SettingsCard() {
  const { data, error } = useItem('GET /feedback/settings.php');
  const may = useMay();
  const change = useChange('PUT /feedback/settings.php', {
    quiet: true,
    touches: ['/feedback/settings.php'],
    done: () => toast(t('Ratings saved')),
  });
  if (error) return <Failed error={error} />;
  if (!data) return <Bones />;
  const mayWrite = may('settings:write') || may('settings:write (session: administrator)');
  const submit = (given: FormData) => change.mutate({ body: { ask: rawText(given, 'ask') === 'true' } });
  return (
    <Card title={t('Ratings')}>
      <Form
        submit={t('Save')}
        error={change.error}
        busy={change.isPending || !mayWrite}
        names={['ask']}
        onSubmit={submit}
      >
        <CheckField
          name="ask"
          label={t('Ask requesters to rate closed tickets')}
          hint={t('Adds three links to the email about the closed ticket. No reminders are sent.')}
          checked={data.ask}
        />
      </Form>
    </Card>
  );
}
