// Set-up checklist of a new installation, on an administrator's home page until complete.
import { Button, Card, Icon, Link, useChange, useItem } from '@keelson/web';

const SET_UP = 'GET /set-up.php';

const words = {
  branding: {
    title: 'Say who you are',
    text: 'Your company’s name, logo and colours, as customers see them.',
    path: '/settings',
  },
  mail: { title: 'Let mail go out', text: 'The server that sends your mail, with a test.', path: '/settings' },
  mailbox: {
    title: 'Let mail come in',
    text: 'The mailbox that customers write to: their mails become tickets.',
    path: '/mailboxes',
  },
  technicians: { title: 'Invite your technicians', text: 'Each gets a mail with a link.', path: '/staff' },
  company: {
    title: 'Add your first customer',
    text: 'The company, with its address and house rules.',
    path: '/companies',
  },
  contacts: {
    title: 'Add their people',
    text: 'By hand or from a file. Then invite them to the portal, each on their page.',
    path: '/contacts/import',
  },
  ticket: {
    title: 'Open the first ticket',
    text: 'As a technician, or as a customer on the portal.',
    path: '/tickets/new',
  },
} as const;

export default function SetUpPanel() {
  const { data } = useItem(SET_UP);
  const hide = useChange('PUT /set-up.php', { touches: ['/set-up.php'] });
  if (!data || data.hidden || data.steps.every(({ done }) => done)) return null;
  const { steps } = data;
  const count = steps.filter(({ done }) => done).length;
  return (
    <Card
      title={`Getting started (${count} of ${steps.length} done)`}
      flush
      act={
        <Button
          size="small"
          look="quiet"
          disabled={hide.isPending}
          onClick={() => hide.mutate({ body: { hidden: true } })}
        >
          Hide
        </Button>
      }
    >
      <ol className="lines set-up">
        {steps.map(({ step, done }) => (
          <li key={step} data-done={done || undefined}>
            <Link href={words[step].path}>
              <Icon name={done ? 'check' : 'target'} size={16} />
              <span className="wraps">
                <b>{words[step].title}</b> <span className="tone-muted">{done ? 'Done' : words[step].text}</span>
              </span>
            </Link>
          </li>
        ))}
      </ol>
    </Card>
  );
}
