// People who follow a ticket: contacts of its company, and technicians.
import {
  Button,
  call,
  EditingForm,
  IconButton,
  Link,
  queries,
  RecordField,
  Section,
  SelectField,
  stale,
  toast,
  toastError,
  useEditing,
  useSession,
  t,
} from '@keelson/web';
import { useTechnicians, type Ticket } from './change.tsx';

type Watcher = Ticket['watchers'][number];
type Who = { readonly employee_number: number } | { readonly user_id: number };

export function Watchers({ ticket, writes }: { ticket: Ticket; writes: boolean }) {
  const { ticket_id: id, company_number, watchers } = ticket;
  const { person } = useSession();
  const technicians = useTechnicians();
  const own = watchers.find((each: Watcher) => each.user_id === person.id);
  const add = async (who: Who) => {
    await call('POST /tickets.php?action=watchers&id={id}', { id, body: who });
    await stale(queries, ['/tickets.php']);
  };
  const remove = async ({ watcher_id, name, employee_number, user_id }: Watcher) => {
    await call('DELETE /tickets.php?action=watchers&id={id}&watcher_id={watcher_id}', { id, watcher_id });
    await stale(queries, ['/tickets.php']);
    const who = employee_number === null ? { user_id: user_id ?? 0 } : { employee_number };
    toast(t('{name} removed', { name }), { act: { title: t('Undo'), run: () => void add(who).catch(toastError) } });
  };
  const { open, toggle, ...form } = useEditing(async (given) => {
    const [employee_number, user_id] = ['employee_number', 'user_id'].map((name) => Number(given.get(name)) || 0);
    if (employee_number) await add({ employee_number });
    if (user_id) await add({ user_id });
    if (employee_number || user_id) toast(t('Watcher added'));
  });
  if (watchers.length === 0 && !writes) return null;
  const others = technicians.filter(
    ({ user_id }: { user_id: number }) => !watchers.some((each: Watcher) => each.user_id === user_id),
  );
  return (
    <Section
      title={t('Watchers')}
      act={writes && !open && <IconButton icon="plus" label={t('Add watcher')} className="quiet" onClick={toggle} />}
    >
      <ul className="linked">
        {watchers.map((each: Watcher) => (
          <li key={each.watcher_id}>
            <span>
              {each.employee_number === null ? (
                each.name
              ) : (
                <Link href={`/contacts/${each.employee_number}`}>{each.name}</Link>
              )}
              <small className="tone-muted">
                {each.employee_number === null ? t(' Technician') : ''}
                {each.active ? '' : t(' Inactive')}
              </small>
            </span>
            {writes && (
              <IconButton
                icon="x"
                label={t('Remove {name}', { name: each.name })}
                className="quiet"
                onClick={() => void remove(each).catch(toastError)}
              />
            )}
          </li>
        ))}
      </ul>
      {open && (
        <EditingForm {...form} onCancel={toggle}>
          <RecordField type="contact" name="employee_number" label={t('Contact')} where={{ company_number }} />
          <SelectField
            name="user_id"
            label={t('Technician')}
            none={t('Find technician')}
            choices={others.map(({ user_id, name }: { user_id: number; name: string }) => ({
              value: user_id,
              label: name,
            }))}
          />
        </EditingForm>
      )}
      {writes && !open && !own && (
        <Button look="quiet" size="small" onClick={() => void add({ user_id: person.id }).catch(toastError)}>
          {t('Follow')}
        </Button>
      )}
    </Section>
  );
}
