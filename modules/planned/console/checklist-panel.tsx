// The checklist beside a ticket: items are checked, added and removed in place.
import {
  call,
  CheckField,
  editsOf,
  EditingForm,
  IconButton,
  moment,
  queries,
  rawText,
  RecordField,
  Section,
  stale,
  TextField,
  toastError,
  useEditing,
  useItem,
  useMay,
  type Data,
  t,
} from '@keelson/web';
import schema from 'schema:PUT /tickets/checklist.php?id={id}&item_id={item_id}';
import { DueDay } from './my-tasks-panel.tsx';

const READ = 'GET /tickets.php?id={id}';
const ITEM = 'PUT /tickets/checklist.php?id={id}&item_id={item_id}';
const REMOVE = 'DELETE /tickets/checklist.php?id={id}&item_id={item_id}';
const names = ['title', 'required', 'assigned_to', 'due_date'];

type Ticket = Data<typeof READ>;
type Item = Ticket['checklist'][number];

export default function ChecklistPanel({ ticket }: { ticket: Ticket }) {
  const { ticket_id: id, checklist } = ticket;
  const writes = useMay()('tickets:write');
  const [template] = useItem('GET /ticket-templates.php', { per_page: 1 }, { enabled: writes }).data ?? [];
  const { open, toggle, ...form } = useEditing(async (given) => {
    const body = {
      title: rawText(given, 'title'),
      required: given.get('required') === 'true',
      assigned_to: Number(given.get('assigned_to')) || null,
      due_date: rawText(given, 'due_date') || null,
    };
    await call('POST /tickets/checklist.php?id={id}', { id, body });
    await refresh();
  });
  const {
    open: choosing,
    toggle: choose,
    ...choice
  } = useEditing(async (given) => {
    const body = { template_id: Number(given.get('template_id')) };
    await call('POST /tickets/checklist.php?action=template&id={id}', { id, body });
    await refresh();
  });
  if (checklist.length === 0 && !writes) return null;
  const done = checklist.filter((each: Item) => each.done_at !== null).length;
  return (
    <Section
      title={t('Checklist')}
      act={
        <>
          {checklist.length > 0 && (
            <span className="tone-muted">{t('{done} of {count}', { done, count: checklist.length })}</span>
          )}
          {writes && template && !choosing && (
            <IconButton icon="copy" label={t('Add items from a template')} className="quiet" onClick={choose} />
          )}
          {writes && !open && (
            <IconButton icon="plus" label={t('Add checklist item')} className="quiet" onClick={toggle} />
          )}
        </>
      }
    >
      <ul className="checklist">
        {checklist.map((each: Item) => (
          <ChecklistLine key={each.item_id} id={id} item={each} writes={writes} />
        ))}
      </ul>
      {checklist.length === 0 && !open && !choosing && <p className="tone-muted">{t('No checklist.')}</p>}
      {choosing && (
        <EditingForm {...choice} onCancel={choose}>
          <RecordField
            type="ticket_template"
            name="template_id"
            label={t('Template')}
            hint={t('Adds the items of its checklist.')}
            required
          />
        </EditingForm>
      )}
      {open && (
        <EditingForm {...form} onCancel={toggle}>
          <TextField name="title" label={t('Item')} max={255} required autoFocus />
          <CheckField name="required" label={t('Required to close the ticket')} />
          <TaskFields />
        </EditingForm>
      )}
    </Section>
  );
}

function ChecklistLine({ id, item, writes }: { id: number; item: Item; writes: boolean }) {
  const { item_id, title, required, assigned_to, assigned_name, due_date, done_at, done_by } = item;
  const done = done_at !== null;
  const { open, toggle, ...form } = useEditing(async (given, opened) => {
    const body = editsOf(given, opened, schema, names);
    if (Object.keys(body).length > 0) await call(ITEM, { id, item_id, body });
    await refresh();
  });
  if (open)
    return (
      <li>
        <EditingForm {...form} onCancel={toggle}>
          <TextField name="title" label={t('Item')} max={255} value={title} required autoFocus />
          <CheckField name="required" label={t('Required to close the ticket')} checked={required} />
          <TaskFields assigned_to={assigned_to} assigned_name={assigned_name} due_date={due_date} />
        </EditingForm>
      </li>
    );
  return (
    <li>
      <label className={done ? 'tone-muted' : undefined}>
        <input
          type="checkbox"
          checked={done}
          disabled={!writes}
          onChange={() => void tick(id, item_id, !done).catch(toastError)}
        />
        <span>
          {title}
          {required && !done && <span className="checklist-required"> {t('required')}</span>}
          {!done && (assigned_name || due_date) && (
            <small className="tone-muted">
              {assigned_name} <DueDay day={due_date} />
            </small>
          )}
          {done && (
            <small>
              {done_by}, {moment(done_at)}
            </small>
          )}
        </span>
      </label>
      {writes && (
        <span>
          <IconButton icon="edit" label={t('Edit {title}', { title })} className="quiet" onClick={toggle} />
          <IconButton
            icon="x"
            label={t('Remove {title}', { title })}
            className="quiet"
            onClick={() => void remove(id, item_id).catch(toastError)}
          />
        </span>
      )}
    </li>
  );
}

/** Shows the check mark before the server has responded, and reverts it on an error. */
async function tick(id: number, item_id: number, done: boolean): Promise<void> {
  const key = [READ, { id }];
  const before = queries.getQueryData<Ticket>(key);
  const ticked = (each: Item): Item =>
    each.item_id === item_id ? { ...each, done_at: done ? new Date().toISOString() : null } : each;
  if (before) queries.setQueryData(key, { ...before, checklist: before.checklist.map(ticked) });
  try {
    await call(ITEM, { id, item_id, body: { done } });
  } catch (error) {
    queries.setQueryData(key, before);
    throw error;
  } finally {
    await refresh();
  }
}

async function remove(id: number, item_id: number): Promise<void> {
  await call(REMOVE, { id, item_id });
  await refresh();
}

const refresh = () => stale(queries, ['/tickets.php', '/tickets/tasks.php']);

type TaskFieldsOf = Partial<Pick<Item, 'assigned_to' | 'assigned_name' | 'due_date'>>;

function TaskFields({ assigned_to, assigned_name, due_date }: TaskFieldsOf) {
  return (
    <div className="pair">
      <RecordField
        type="technician"
        name="assigned_to"
        label={t('Assignee')}
        value={assigned_to}
        shown={assigned_name ?? undefined}
      />
      <TextField name="due_date" label={t('Due date')} type="date" value={due_date} />
    </div>
  );
}
