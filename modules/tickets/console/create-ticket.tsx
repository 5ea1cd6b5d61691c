import {
  addressWith,
  Bones,
  Form,
  queries,
  rawText,
  RecordField,
  RecordPage,
  SelectField,
  Slot,
  stale,
  TextField,
  texts,
  toast,
  useChange,
  useDraft,
  useItem,
  useGo,
  useSearchParams,
  t,
} from '@keelson/web';
import { useState } from 'react';
import { useTeams } from './ticket/change.tsx';
import { priorities } from './ticket/look.tsx';
import { WatcherFields } from './ticket/new-watchers.tsx';
import { TagField, tagsIn } from './ticket/tags.tsx';

/** Values that a panel in the slot `ticket.new` fills into the form. */
interface Filled {
  readonly template_id: number;
  readonly subject: string;
  readonly description: string;
  readonly job_type: string;
  readonly priority: number;
  readonly assigned_to: number | null;
  /** Empty for none. */
  readonly due_date: string;
}

/** Reads records from the URL: `?contact=7`, `?asset=12`, `?company=1000`, `?parent=3`. */
function useAbout() {
  const [params] = useSearchParams();
  const [contact, asset] = [Number(params.get('contact')), Number(params.get('asset'))];
  const above = Number(params.get('parent'));
  const parent = useItem('GET /tickets.php?id={id}', { id: above }, { enabled: above > 0 }).data;
  const caller = useItem('GET /contacts.php?id={id}', { id: contact }, { enabled: contact > 0 }).data;
  const machine = useItem('GET /assets.php?id={id}', { id: asset }, { enabled: asset > 0 }).data;
  return {
    /** The form renders only once the records named in the URL are loaded. */
    ready: !(contact > 0 && !caller) && !(asset > 0 && !machine) && !(above > 0 && !parent),
    parent,
    caller,
    machine,
    /** Prefilled subject, set by links such as an alert's. */
    subject: params.get('subject') ?? '',
    company:
      caller?.company_number ??
      machine?.company_number ??
      parent?.company_number ??
      (Number(params.get('company')) || undefined),
  };
}

export default function CreateTicket() {
  const { ready, ...about } = useAbout();
  return (
    <RecordPage title={t('New ticket')} back={{ to: '/tickets', title: t('Back to tickets') }}>
      <div className="narrow">{ready ? <NewTicket {...about} /> : <Bones />}</div>
    </RecordPage>
  );
}

type About = Omit<ReturnType<typeof useAbout>, 'ready'>;

function NewTicket({ caller, machine, parent, subject: asked, company: first }: About) {
  const go = useGo();
  const [company, setCompany] = useState(first);
  /** Company of the last person picked; prefills the company field. */
  const [callers, setCallers] = useState<number>();
  /** Company picked by hand; restricts the requester to its people. */
  const [scope, setScope] = useState(first);
  const categories = useItem('GET /job-types.php').data;
  const technicians = useItem('GET /tech-status.php').data;
  const teams = useTeams();
  const [draft, setDraft] = useDraft('ticket/new/description');
  const [filled, setFilled] = useState<Filled>();
  const fill = (now: Filled | undefined) => {
    // Keep what the person has typed.
    if (draft.trim() === '' || draft === filled?.description) setDraft(now?.description ?? '');
    setFilled(now);
  };
  const create = useChange('POST /tickets.php', {
    quiet: true,
    touches: ['/tickets.php'],
    done: (made) => {
      setDraft('');
      toast(t('Ticket {ticket_number} created', { ticket_number: made.ticket_number }));
      void stale(queries, ['/companies.php']);
      go(addressWith('/tickets/:quoted', made.ticket_id));
    },
  });
  const submit = (given: FormData) => {
    const { subject, description, priority, job_type, due_date } = texts(
      given,
      'subject',
      'description',
      'priority',
      'job_type',
      'due_date',
    );
    const tags = tagsIn(rawText(given, 'tags'));
    const ids = Object.fromEntries(
      (['site_number', 'employee_number', 'asset_id', 'assigned_to', 'team_id', 'parent_id'] as const)
        .map((name) => [name, Number(given.get(name))] as const)
        .filter(([, id]) => id > 0),
    );
    const watching = Object.fromEntries(
      (['watchers', 'technician_watchers'] as const)
        .map((name) => [name, rawText(given, name).split(',').filter(Boolean).map(Number)] as const)
        .filter(([, people]) => people.length > 0),
    );
    create.mutate({
      body: {
        ...ids,
        company_number: Number(given.get('company_number')),
        subject,
        description,
        ...(priority && { priority: Number(priority) }),
        ...(job_type && { job_type }),
        ...(due_date && { due_date }),
        ...(tags.length > 0 && { tags }),
        ...watching,
        ...(filled && { template_id: filled.template_id }),
      },
    });
  };
  return (
    <Form
      submit={t('Create ticket')}
      busy={create.isPending}
      error={create.error}
      onCancel={() => history.back()}
      onSubmit={submit}
    >
      <Slot name="ticket.new" onFill={fill} />
      <RecordField
        type="contact"
        name="employee_number"
        label={t('Requester')}
        hint={t('Search by name, phone number or email. The company is filled in automatically.')}
        value={caller?.employee_number}
        shown={caller && `${caller.first_name} ${caller.last_name}`}
        where={scope ? { company_number: scope } : {}}
        onPick={(picked) => {
          setCallers(picked?.company_number);
          if (picked?.company_number) setCompany(picked.company_number);
        }}
        key={`of ${scope}`}
      />
      <RecordField
        type="company"
        name="company_number"
        label={t('Company')}
        required
        value={company}
        onPick={(picked) => {
          const id = picked && Number(picked.id);
          setCompany(id);
          if (id !== callers) setScope(id);
        }}
        key={`company ${callers}`}
      />
      {company && (
        <div className="pair" key={company}>
          <RecordField type="site" name="site_number" label={t('Site')} where={{ company_number: company }} />
          <RecordField
            type="asset"
            name="asset_id"
            label={t('Asset')}
            value={machine?.asset_id}
            shown={machine?.machine_name}
            where={{ company_number: company }}
          />
        </div>
      )}
      <TextField
        key={`subject ${filled?.template_id}`}
        name="subject"
        label={t('Subject')}
        value={filled?.subject ?? asked}
        required
        max={255}
      />
      <div className="field">
        <label htmlFor="new-description">
          {t('Description')}
          <span className="optional"> {t('optional')}</span>
        </label>
        <textarea
          id="new-description"
          name="description"
          className="input"
          rows={6}
          value={draft}
          onChange={(event) => setDraft(event.target.value)}
        />
      </div>
      <div className="pair" key={`kind ${filled?.template_id}`}>
        <SelectField
          name="priority"
          label={t('Priority')}
          value={filled?.priority ?? 3}
          choices={Object.entries(priorities).map(([value, label]) => ({ value, label }))}
        />
        <SelectField
          name="job_type"
          label={t('Category')}
          value={filled?.job_type}
          choices={categories?.map((each: { name: string }) => ({ value: each.name, label: each.name }))}
        />
      </div>
      <div className="pair" key={`work ${filled?.template_id}`}>
        <SelectField
          name="assigned_to"
          label={t('Assignee')}
          value={filled?.assigned_to}
          none={t('Unassigned')}
          choices={technicians?.map((each: { user_id: number; name: string }) => ({
            value: each.user_id,
            label: each.name,
          }))}
        />
        <TextField name="due_date" label={t('Due date')} type="date" value={filled?.due_date} />
      </div>
      {teams.length > 0 && (
        <SelectField
          name="team_id"
          label={t('Team')}
          none={t('No team')}
          choices={teams.map((each: { team_id: number; name: string }) => ({ value: each.team_id, label: each.name }))}
        />
      )}
      {company && (
        <RecordField
          key={`parent ${company}`}
          type="ticket"
          name="parent_id"
          label={t('Parent ticket')}
          value={parent?.company_number === company ? parent?.ticket_id : undefined}
          shown={parent && `${parent.ticket_number} ${parent.subject}`}
          where={{ company_number: company }}
        />
      )}
      <TagField />
      <WatcherFields key={company} company={company} />
    </Form>
  );
}
