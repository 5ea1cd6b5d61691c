// Outage page: post an update with a preview of its notice, the timeline, and the affected customers.
import {
  Badge,
  Bones,
  Button,
  Card,
  CheckField,
  EditDialog,
  Empty,
  Fact,
  Facts,
  Form,
  inputTime,
  Link,
  MailPreview,
  number,
  RecordPage,
  RecordPending,
  Section,
  SelectField,
  TextField,
  texts,
  Time,
  toast,
  toneOf,
  useChange,
  useItem,
  useMay,
  useRested,
  words,
  type Data,
  t,
} from '@keelson/web';
import { useEffect, useState, type FormEvent } from 'react';
import schema from 'schema:PUT /outages.php?id={id}';

const READ = 'GET /outages.php?id={id}';
type Outage = Data<typeof READ>;
type Status = 'active' | 'scheduled' | 'operating_normally';

const back = { to: '/outages', title: t('Back to outages') };
const touches = ['/outages.php'];
/** Milliseconds without typing before the notice is rendered again. */
const REST = 500;
const FIRST_COMPANIES = 20;

export default function OutagePage({ params }: { params: { id: string } }) {
  const { data, error, refetch } = useItem(READ, { id: Number(params.id) });
  if (error || !data)
    return <RecordPending title={t('Outage')} back={back} error={error} retry={() => void refetch()} />;
  return <Shown outage={data} />;
}

function Shown({ outage }: { outage: Outage }) {
  const { title, status, severity, description } = outage;
  const may = useMay()('tickets:write');
  const [editing, setEditing] = useState(false);
  return (
    <RecordPage
      title={title}
      back={back}
      badge={
        <>
          <Badge tone={toneOf(status, 'outage')}>{words(status)}</Badge>
          <Badge tone={toneOf(severity)}>{words(severity)}</Badge>
        </>
      }
      acts={
        may && (
          <Button icon="edit" onClick={() => setEditing(true)}>
            {t('Edit')}
          </Button>
        )
      }
      side={
        <>
          <OutageFacts outage={outage} />
          <AffectedCustomers outage={outage} />
        </>
      }
    >
      {may && <PostUpdate outage={outage} />}
      {description && (
        <Card title={t('Description')}>
          <p className="text">{description}</p>
        </Card>
      )}
      <Updates outage={outage} />
      {editing && <EditOutage outage={outage} onClose={() => setEditing(false)} />}
    </RecordPage>
  );
}

function OutageFacts({ outage }: { outage: Outage }) {
  const { service_id, service_name, started_at, scheduled_start, scheduled_end, resolved_at, created_by } = outage;
  return (
    <Section title={t('Outage')}>
      <Facts>
        <Fact name={t('Service')}>
          <Link href={`/services/${service_id}`}>{service_name}</Link>
        </Fact>
        <Fact name={t('Started')}>{started_at && <Time at={started_at} />}</Fact>
        <Fact name={t('Planned start')}>{scheduled_start && <Time at={scheduled_start} />}</Fact>
        <Fact name={t('Planned end')}>{scheduled_end && <Time at={scheduled_end} />}</Fact>
        <Fact name={t('Resolved')}>{resolved_at && <Time at={resolved_at} />}</Fact>
        <Fact name={t('Declared by')}>{created_by}</Fact>
      </Facts>
    </Section>
  );
}

function AffectedCustomers({ outage }: { outage: Outage }) {
  const { data } = useItem('GET /outages.php?action=affected&id={id}', { id: outage.outage_id });
  const [all, setAll] = useState(false);
  if (!data) return <Bones />;
  const { companies, people, list } = data;
  const shown = all ? list : list.slice(0, FIRST_COMPANIES);
  return (
    <Section title={t('Affected customers ({companies})', { companies: number(companies) })}>
      <p className="tone-muted">
        {people === 1 ? t('One person receives') : t('{people} people receive', { people: number(people) })}{' '}
        {t('its notices: managers, IT admins and subscribers.')}
      </p>
      <ul className="affected">
        {shown.map((each) => (
          <li key={each.company_number}>
            <Link href={`/companies/${each.company_number}`}>{each.company_name}</Link>
            <span className="tone-muted">{each.people === 0 ? t('no one') : number(each.people)}</span>
          </li>
        ))}
      </ul>
      {shown.length < list.length && <Button onClick={() => setAll(true)}>{t('Show all')}</Button>}
      {all && list.length < companies && (
        <p className="tone-muted">{t('Only the first {count} are listed.', { count: number(list.length) })}</p>
      )}
    </Section>
  );
}

/** Status choices after the current one. */
const choices: Readonly<Record<Outage['status'], readonly { value: Status; label: string }[]>> = {
  active: [
    { value: 'active', label: t('Still active') },
    { value: 'operating_normally', label: t('Resolved') },
  ],
  scheduled: [
    { value: 'scheduled', label: t('Still planned') },
    { value: 'active', label: t('Started') },
    { value: 'operating_normally', label: t('Finished or cancelled') },
  ],
  resolved: [
    { value: 'operating_normally', label: t('Still resolved') },
    { value: 'active', label: t('Active again') },
  ],
};

interface Update {
  readonly status: Status;
  readonly notes: string;
  readonly notify: boolean;
}

function updateIn(given: FormData): Update {
  const { status, notes } = texts(given, 'status', 'notes');
  return { status: status as Status, notes, notify: given.get('send_notification') === 'true' };
}

/** Starts anew once the update is posted. What is being written stays when a colleague posts one. */
function PostUpdate({ outage }: { outage: Outage }) {
  const [posted, setPosted] = useState(0);
  return <UpdateForm key={posted} outage={outage} onPosted={() => setPosted(posted + 1)} />;
}

function UpdateForm({ outage, onPosted }: { outage: Outage; onPosted: () => void }) {
  const { outage_id: id, status } = outage;
  const first = choices[status][0]?.value ?? 'active';
  const usual = { status: first, notify: status !== 'resolved' };
  const [update, setUpdate] = useState<Update>({ ...usual, notes: '' });
  const [known, setKnown] = useState(status);
  if (known !== status) {
    setKnown(status);
    // What was chosen before must not undo what the colleague did.
    setUpdate({ ...update, ...(update.notes === '' ? usual : { status: first }) });
  }
  const change = useChange('PUT /outages.php?id={id}', {
    quiet: true,
    touches,
    done: () => {
      toast(t('Update posted'));
      onPosted();
    },
  });
  const onInput = (event: FormEvent<HTMLDivElement>) => {
    const form = (event.target as HTMLElement).closest('form');
    if (form) setUpdate(updateIn(new FormData(form)));
  };
  return (
    <Card title={t('Post an update')}>
      <div className="outage-update" onInput={onInput}>
        <Form
          submit={update.notify ? t('Post and send') : t('Post')}
          busy={change.isPending}
          error={change.error}
          onSubmit={(given) => {
            const { notify, ...said } = updateIn(given);
            change.mutate({ id, body: { ...said, send_notification: notify } });
          }}
        >
          <SelectField
            key={`${status} status`}
            name="status"
            label={t('Status')}
            required
            value={first}
            choices={choices[status]}
          />
          <TextField
            name="notes"
            label={t('Message')}
            lines={4}
            hint={t('Shown on the status page and in the portal. Customers read the description if this is empty.')}
          />
          <CheckField
            key={`${status} notify`}
            name="send_notification"
            label={t('Send to everyone affected')}
            checked={update.notify}
          />
        </Form>
        {update.notify && <Notice id={id} status={update.status} notes={update.notes} />}
      </div>
    </Card>
  );
}

/** A preview of the notice to the first recipient. */
function Notice({ id, status, notes }: { id: number; status: Status; notes: string }) {
  const { mutate, data, error } = useChange('POST /outages.php?action=preview&id={id}');
  const rested = useRested(notes, REST);
  useEffect(() => mutate({ id, body: { status, notes: rested } }), [mutate, id, status, rested]);
  if (!data) return error ? null : <Bones />;
  const { subject, text, people } = data.data;
  return (
    <MailPreview
      title={t('Notice to {count, plural, one {one person} other {# people}}', { count: people })}
      subject={subject}
      text={text}
    />
  );
}

function Updates({ outage: { status_history } }: { outage: Outage }) {
  if (status_history.length === 0) return <Empty title={t('No updates yet')} />;
  return (
    <Card title={t('Updates')}>
      <ol className="outage-updates">
        {status_history.toReversed().map((each) => (
          <li key={each.created_at + each.status}>
            <p>
              <Badge tone={toneOf(each.status === 'operating_normally' ? 'resolved' : each.status, 'outage')}>
                {each.status === 'operating_normally' ? t('Resolved') : words(each.status)}
              </Badge>{' '}
              <b>{each.changed_by}</b> <Time at={each.created_at} />
              {each.notified && <span className="tone-muted"> {t('· notice sent')}</span>}
            </p>
            {each.notes && <p className="text">{each.notes}</p>}
          </li>
        ))}
      </ol>
    </Card>
  );
}

const names = ['title', 'description', 'severity', 'scheduled_start', 'scheduled_end'];

function EditOutage({ outage, onClose }: { outage: Outage; onClose: () => void }) {
  const { outage_id: id, title, description, severity, status, scheduled_start, scheduled_end } = outage;
  return (
    <EditDialog
      title={t('Edit outage')}
      open
      onClose={onClose}
      operation="PUT /outages.php?id={id}"
      args={{ id }}
      schema={schema}
      names={names}
      values={outage}
      touches={touches}
    >
      <TextField name="title" label={t('Title')} required max={255} value={title} />
      <TextField name="description" label={t('Description')} lines={4} value={description} />
      <SelectField name="severity" label={t('Severity')} required value={severity} choices={severities} />
      {status === 'scheduled' && (
        <>
          <TextField
            name="scheduled_start"
            label={t('Planned start')}
            type="datetime-local"
            value={inputTime(scheduled_start ?? undefined)}
          />
          <TextField
            name="scheduled_end"
            label={t('Planned end')}
            type="datetime-local"
            value={inputTime(scheduled_end ?? undefined)}
          />
        </>
      )}
    </EditDialog>
  );
}

const severities = (['minor', 'major', 'critical'] as const).map((value) => ({ value, label: words(value) }));
