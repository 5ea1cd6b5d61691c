// Workflow page: description in words, and a dry run against a ticket.
import {
  Badge,
  Bones,
  Button,
  Card,
  confirm,
  Fact,
  Facts,
  Failed,
  Form,
  LinkButton,
  Note,
  RecordField,
  RecordPage,
  Section,
  Time,
  toast,
  useChange,
  useItem,
  useGo,
  useMay,
  words,
  type Data,
  t,
} from '@keelson/web';
import { useState } from 'react';
import { Steps } from './steps.tsx';

const READ = 'GET /workflows.php?id={id}';
const TEST = 'POST /workflows.php?action=test&id={id}';
const RUN = 'POST /workflows.php?action=trigger&id={id}';
type Outcome = Data<typeof TEST>;
const back = { to: '/workflows', title: t('Back to workflows') };
const touches = ['/workflows.php'];

export default function WorkflowPage({ params }: { params: { id: string } }) {
  const id = Number(params.id);
  const { data, error, refetch } = useItem(READ, { id });
  const go = useGo();
  const may = useMay()('settings:write');
  const change = useChange('PUT /workflows.php?id={id}', { touches });
  const remove = useChange('DELETE /workflows.php?id={id}', { touches, done: () => go(back.to) });
  if (error || !data)
    return (
      <RecordPage title={t('Workflow')} back={back}>
        {error ? <Failed error={error} retry={() => void refetch()} /> : <Bones />}
      </RecordPage>
    );
  const askToRemove = async () => {
    if (await confirm({ title: t('Delete {name}?', { name: data.name }), act: t('Delete'), danger: true }))
      remove.mutate({ id });
  };
  return (
    <RecordPage
      title={data.name}
      back={back}
      badge={<Badge tone={data.active ? 'ok' : 'muted'}>{data.active ? t('Active') : t('Disabled')}</Badge>}
      acts={
        may && (
          <>
            <Button disabled={change.isPending} onClick={() => change.mutate({ id, body: { active: !data.active } })}>
              {data.active ? t('Disable') : t('Enable')}
            </Button>
            <LinkButton to={`/workflows/${id}/edit`} icon="edit">
              {t('Edit')}
            </LinkButton>
            <Button look="quiet" icon="trash" disabled={remove.isPending} onClick={() => void askToRemove()}>
              {t('Delete')}
            </Button>
          </>
        )
      }
      side={
        <Section title={t('Runs')}>
          <Facts>
            <Fact name={t('Count')}>{data.run_count}</Fact>
            <Fact name={t('Last')}>{data.last_run_at && <Time at={data.last_run_at} />}</Fact>
            <Fact name={t('Changed')}>
              <Time at={data.updated_at} />
            </Fact>
          </Facts>
        </Section>
      }
    >
      {data.description && <p className="text">{data.description}</p>}
      <Steps workflow={data} />
      <Trial id={id} />
    </RecordPage>
  );
}

function Trial({ id }: { id: number }) {
  const [outcome, setOutcome] = useState<Outcome>();
  const [ticket, setTicket] = useState(0);
  const test = useChange(TEST, { quiet: true, done: (data) => setOutcome(data) });
  const run = useChange(RUN, {
    touches: ['/workflows.php', '/tickets.php'],
    done: ({ status, error }) => toast(error ? `${words(status)}: ${error}` : words(status)),
  });
  return (
    <Card title={t('Test run')}>
      <Form
        submit={t('Test')}
        busy={test.isPending}
        error={test.error}
        onSubmit={(given) => {
          const ticket_id = Number(given.get('ticket_id'));
          setTicket(ticket_id);
          test.mutate({ id, body: { ticket_id } });
        }}
      >
        <RecordField type="ticket" name="ticket_id" label={t('Ticket')} required hint={t('Nothing will be changed.')} />
      </Form>
      {outcome && (
        <Note
          tone={outcome.runs ? 'ok' : 'muted'}
          title={outcome.runs ? t('The workflow would run.') : t('The workflow would not run.')}
        >
          {outcome.actions.map((each: { type?: string; would?: string }, index: number) => (
            <span key={index}> {each.would ?? words(each.type ?? '')}.</span>
          ))}
        </Note>
      )}
      {outcome?.runs && (
        <Button disabled={run.isPending} onClick={() => run.mutate({ id, body: { ticket_id: ticket } })}>
          {t('Run now')}
        </Button>
      )}
    </Card>
  );
}
