// Set-up checklist of a new installation, on an administrator's home page until complete.
import { Button, Card, Icon, Link, useChange, useItem } from '@keelson/web';

const SET_UP = 'GET /set-up.php';

const words = {
  branding: {
    title: 'Add your branding',
    text: 'The name, logo and colours your customers see.',
    path: '/settings',
  },
  region: {
    title: 'Set your time zone and currency',
    text: 'Used in schedules, reports, proposals and invoices.',
    path: '/settings',
  },
  hours: {
    title: 'Set your business hours',
    text: 'When you answer tickets, and your holidays. Service levels count these hours.',
    path: '/calendars',
  },
  mail: { title: 'Set up outgoing email', text: 'Connect an SMTP server and send a test email.', path: '/settings' },
  mailbox: {
    title: 'Set up incoming email',
    text: 'Connect your support mailbox to turn incoming emails into tickets.',
    path: '/mailboxes',
  },
  technicians: { title: 'Invite your technicians', text: 'They get a sign-in link by email.', path: '/staff' },
  company: {
    title: 'Add your first customer',
    text: 'The company, its sites and its house rules.',
    path: '/companies',
  },
  contacts: {
    title: 'Add their contacts',
    text: 'Add contacts manually or import a file, then invite them to the portal.',
    path: '/contacts/import',
  },
  ticket: {
    title: 'Create your first ticket',
    text: 'In the console, or as a customer in the portal.',
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
