// Set-up checklist of a new installation, on an administrator's home page until complete.
import { Button, Card, Icon, Link, useChange, useItem, t, type Data } from '@keelson/web';

const SET_UP = 'GET /set-up.php';

const words = {
  branding: {
    title: t('Add your branding'),
    text: t('The name, logo and colours your customers see.'),
    path: '/settings',
  },
  region: {
    title: t('Set your time zone and currency'),
    text: t('Used in schedules, reports, proposals and invoices.'),
    path: '/settings',
  },
  hours: {
    title: t('Set your business hours'),
    text: t('When you answer tickets, and your holidays. Service levels count these hours.'),
    path: '/calendars',
  },
  mail: {
    title: t('Set up outgoing email'),
    text: t('Connect an SMTP server and send a test email.'),
    path: '/settings',
  },
  mailbox: {
    title: t('Set up incoming email'),
    text: t('Connect your support mailbox to turn incoming emails into tickets.'),
    path: '/mailboxes',
  },
  technicians: { title: t('Invite your technicians'), text: t('They get a sign-in link by email.'), path: '/staff' },
  company: {
    title: t('Add your first customer'),
    text: t('The company, its sites and its house rules.'),
    path: '/companies',
  },
  contacts: {
    title: t('Add their contacts'),
    text: t('Add contacts manually or import a file, then invite them to the portal.'),
    path: '/contacts/import',
  },
  ticket: {
    title: t('Create your first ticket'),
    text: t('In the console, or as a customer in the portal.'),
    path: '/tickets/new',
  },
} as const;

export default function SetUpPanel() {
  const { data } = useItem(SET_UP);
  const hide = useChange('PUT /set-up.php', { touches: ['/set-up.php'] });
  if (!data || data.hidden || data.steps.every(({ done }) => done)) return null;
  const { steps } = data;
  const [done, open] = [steps.filter((each) => each.done), steps.filter((each) => !each.done)];
  return (
    <Card
      title={t('Getting started ({count} of {count2} done)', { count: done.length, count2: steps.length })}
      flush
      act={
        <Button
          size="small"
          look="quiet"
          disabled={hide.isPending}
          onClick={() => hide.mutate({ body: { hidden: true } })}
        >
          {t('Hide')}
        </Button>
      }
    >
      <Steps steps={open} />
      {done.length > 0 && (
        <details className="set-up-done">
          <summary>{t('Completed steps')}</summary>
          <Steps steps={done} />
        </details>
      )}
    </Card>
  );
}

function Steps({ steps }: { steps: Data<typeof SET_UP>['steps'] }) {
  return (
    <ol className="lines set-up">
      {steps.map(({ step, done }) => (
        <li key={step} data-done={done || undefined}>
          <Link href={words[step].path}>
            <Icon name={done ? 'check' : 'target'} size={16} />
            <span className="step">
              <b>{words[step].title}</b> <span className="tone-muted">{done ? t('Done') : words[step].text}</span>
            </span>
          </Link>
        </li>
      ))}
    </ol>
  );
}
