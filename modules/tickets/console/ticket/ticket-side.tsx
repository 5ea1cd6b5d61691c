// Ticket fields beside the conversation, edited in place.
import {
  addressWith,
  Avatar,
  date,
  EditableFact,
  EditingForm,
  Fact,
  Facts,
  IconButton,
  Link,
  minutes,
  Phone,
  rawText,
  RecordField,
  Section,
  SelectField,
  Slot,
  TextField,
  Time,
  toastError,
  useEditing,
  useItem,
  useMay,
  words,
  type Data,
  t,
} from '@keelson/web';
import { editTicket, useTeams, type Ticket } from './change.tsx';
import { Family } from './family.tsx';
import { editList } from './lists.tsx';
import { Due } from './look.tsx';
import { Tags } from './tags.tsx';
import { Watchers } from './watchers.tsx';

type Company = Data<'GET /companies.php?id={id}'>;

/** Returns the id in a form field, or null. */
const idIn = (given: FormData, name: string): number | null => Number(given.get(name)) || null;

export function TicketSide({ ticket, company }: { ticket: Ticket; company: Company | undefined }) {
  const writes = useMay()('tickets:write');
  return (
    <>
      <Slot name="ticket.top" ticket={ticket} />
      <Requester ticket={ticket} writes={writes} />
      <Section title={t('Company')}>
        <Facts>
          <Fact name={t('Name')}>
            <Link href={`/companies/${ticket.company_number}`}>{ticket.company_name}</Link>
          </Fact>
          <Site ticket={ticket} writes={writes} />
          <Fact name={t('Phone')}>{company?.phone && <Phone number={company.phone} />}</Fact>
        </Facts>
      </Section>
      <Section title={t('Work')}>
        <Facts>
          <Category ticket={ticket} writes={writes} />
          <Team ticket={ticket} writes={writes} />
          <StartDate ticket={ticket} writes={writes} />
          <DueDate ticket={ticket} writes={writes} />
          <Estimate ticket={ticket} writes={writes} />
          <Fact name={t('Approval')}>{ticket.approval_status === 'none' ? null : words(ticket.approval_status)}</Fact>
          <Fact name={t('Time')}>{ticket.total_minutes > 0 ? minutes(ticket.total_minutes) : null}</Fact>
          <Fact name={t('Opened')}>
            <Time at={ticket.created_at} />
          </Fact>
          <Fact name={t('Closed')}>{ticket.closed_at && <Time at={ticket.closed_at} />}</Fact>
          <Fact name={t('Source')}>{ticket.source && words(ticket.source)}</Fact>
        </Facts>
      </Section>
      <Family ticket={ticket} writes={writes} />
      <Watchers ticket={ticket} writes={writes} />
      <Tags ticket={ticket} writes={writes} />
      <Assets ticket={ticket} writes={writes} />
      <Slot name="ticket.side" ticket={ticket} />
    </>
  );
}

export interface PartProps {
  readonly ticket: Ticket;
  /** Whether the reader may change tickets. */
  readonly writes: boolean;
}

function Requester({ ticket, writes }: PartProps) {
  const { ticket_id, company_number, requester_employee_number: now, requester_name } = ticket;
  const mayRead = useMay()('contacts:read');
  const contact = useItem('GET /contacts.php?id={id}', { id: now ?? 0 }, { enabled: mayRead && now !== null }).data;
  const { open, toggle, ...form } = useEditing((given) =>
    editTicket(
      ticket_id,
      { employee_number: idIn(given, 'employee_number') },
      { employee_number: now },
      t('Requester changed'),
    ),
  );
  const phone = contact?.phone ?? contact?.mobile;
  return (
    <Section
      title={t('Requester')}
      act={
        writes && !open && <IconButton icon="edit" label={t('Change requester')} className="quiet" onClick={toggle} />
      }
    >
      {open ? (
        <EditingForm {...form} onCancel={toggle}>
          <RecordField
            type="contact"
            name="employee_number"
            label={t('Requester')}
            value={now}
            shown={requester_name ?? undefined}
            where={{ company_number }}
          />
        </EditingForm>
      ) : requester_name ? (
        <div className="requester">
          <Avatar name={requester_name} tone="warm" />
          <div>
            <Link href={`/contacts/${now}`}>
              <b>{requester_name}</b>
            </Link>
            {phone && <Phone number={phone} />}
            {ticket.requester_email && <a href={`mailto:${ticket.requester_email}`}>{ticket.requester_email}</a>}
          </div>
        </div>
      ) : (
        <p className="tone-muted">{t('Opened internally.')}</p>
      )}
    </Section>
  );
}

function Site({ ticket: { ticket_id, company_number, site_number, site_name }, writes }: PartProps) {
  const field = (
    <RecordField
      type="site"
      name="site_number"
      label={t('Site')}
      value={site_number}
      shown={site_name ?? undefined}
      where={{ company_number }}
    />
  );
  const save = (given: FormData) =>
    editTicket(ticket_id, { site_number: idIn(given, 'site_number') }, { site_number }, t('Site changed'));
  return (
    <EditableFact name={t('Site')} field={writes && field} onSave={save}>
      {site_name}
    </EditableFact>
  );
}

function Category({ ticket: { ticket_id, job_type }, writes }: PartProps) {
  const categories = useItem('GET /job-types.php').data;
  const field = (
    <SelectField
      name="job_type"
      label={t('Category')}
      required
      value={job_type}
      choices={categories?.map((each: { name: string }) => ({ value: each.name, label: each.name }))}
    />
  );
  const save = (given: FormData) =>
    editTicket(ticket_id, { job_type: rawText(given, 'job_type') }, { job_type }, t('Category changed'));
  return (
    <EditableFact name={t('Category')} field={writes && field} onSave={save}>
      {job_type}
    </EditableFact>
  );
}

/** The team; hidden if there are no teams. */
function Team({ ticket: { ticket_id, team_id, team_name }, writes }: PartProps) {
  const teams = useTeams();
  const field = (
    <SelectField
      name="team_id"
      label={t('Team')}
      none={t('No team')}
      value={team_id}
      choices={teams.map((each: { team_id: number; name: string }) => ({ value: each.team_id, label: each.name }))}
    />
  );
  const save = (given: FormData) =>
    editTicket(ticket_id, { team_id: idIn(given, 'team_id') }, { team_id }, t('Team changed'));
  return (
    <EditableFact name={t('Team')} field={writes && teams.length > 0 && field} onSave={save}>
      {team_name}
    </EditableFact>
  );
}

function StartDate({ ticket: { ticket_id, start_date }, writes }: PartProps) {
  const save = (given: FormData) =>
    editTicket(
      ticket_id,
      { start_date: rawText(given, 'start_date') || null },
      { start_date },
      t('Start date changed'),
    );
  return (
    <EditableFact
      name={t('Start date')}
      field={writes && <TextField name="start_date" label={t('Start date')} type="date" value={start_date} />}
      onSave={save}
    >
      {start_date && date(start_date)}
    </EditableFact>
  );
}

function Estimate({ ticket: { ticket_id, estimate_minutes }, writes }: PartProps) {
  const save = (given: FormData) =>
    editTicket(
      ticket_id,
      { estimate_minutes: idIn(given, 'estimate_minutes') },
      { estimate_minutes },
      t('Estimate changed'),
    );
  return (
    <EditableFact
      name={t('Estimate')}
      field={
        writes && (
          <TextField name="estimate_minutes" label={t('Estimate in minutes')} type="number" value={estimate_minutes} />
        )
      }
      onSave={save}
    >
      {estimate_minutes !== null && minutes(estimate_minutes)}
    </EditableFact>
  );
}

function DueDate({ ticket, writes }: PartProps) {
  const { ticket_id, due_date } = ticket;
  const save = (given: FormData) =>
    editTicket(ticket_id, { due_date: rawText(given, 'due_date') || null }, { due_date }, t('Due date changed'));
  return (
    <EditableFact
      name={t('Due date')}
      field={writes && <TextField name="due_date" label={t('Due date')} type="date" value={due_date} />}
      onSave={save}
    >
      {due_date && <Due ticket={ticket} />}
    </EditableFact>
  );
}

type Linked = Ticket['assets'][number];

function Assets({ ticket: { ticket_id, company_number, assets }, writes }: PartProps) {
  const { open, toggle, ...form } = useEditing(async (given) => {
    const added = idIn(given, 'asset_id');
    if (added) await editList(ticket_id, 'asset_ids', { add: [added] }, t('Asset added'));
  });
  const remove = ({ asset_id, machine_name }: Linked) => {
    const said = t('{machine_name} removed', { machine_name });
    void editList(ticket_id, 'asset_ids', { remove: [asset_id] }, said).catch(toastError);
  };
  if (assets.length === 0 && !writes) return null;
  return (
    <Section
      title={t('Assets')}
      act={writes && !open && <IconButton icon="plus" label={t('Add asset')} className="quiet" onClick={toggle} />}
    >
      <ul className="linked">
        {assets.map((each: Linked) => (
          <li key={each.asset_id}>
            <Link href={addressWith('/assets/:quoted', each.asset_id)}>{each.machine_name}</Link>
            {writes && (
              <IconButton
                icon="x"
                label={t('Remove {machine_name}', { machine_name: each.machine_name })}
                className="quiet"
                onClick={() => remove(each)}
              />
            )}
          </li>
        ))}
      </ul>
      {open && (
        <EditingForm {...form} onCancel={toggle}>
          <RecordField type="asset" name="asset_id" label={t('Asset')} required where={{ company_number }} />
        </EditingForm>
      )}
      {assets.length === 0 && !open && <p className="tone-muted">{t('No assets linked.')}</p>}
    </Section>
  );
}
