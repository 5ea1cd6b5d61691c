// What the technician is mailed about.
import { Card, SelectField, t, toast, useChange, useItem } from '@keelson/web';

const choices = [
  { value: 'none', label: t('Nothing') },
  { value: 'own', label: t('Tickets assigned to me, and replies to them') },
  { value: 'unassigned', label: t('Also new tickets without an assignee, and mail waiting for review') },
];
type Choice = 'none' | 'own' | 'unassigned';

export default function MailsCard() {
  const { data } = useItem('GET /preferences.php');
  const change = useChange('PUT /preferences.php', {
    touches: ['/preferences.php'],
    done: () => toast(t('Saved')),
  });
  if (!data) return null;
  return (
    <Card title={t('Notifications by mail')}>
      <SelectField
        name="mails"
        label={t('Mail me about')}
        value={data.mails}
        choices={choices}
        hint={t('You can answer the customer by replying to these mails.')}
        onChoose={(mails) => change.mutate({ body: { mails: mails as Choice } })}
        required
      />
    </Card>
  );
}
