// The parent and the children of a ticket.
import {
  addressWith,
  EditingForm,
  IconButton,
  Link,
  RecordField,
  Section,
  toastError,
  useEditing,
  useGo,
  t,
} from '@keelson/web';
import { editTicket, type Ticket } from './change.tsx';
import { StatusMark } from './look.tsx';
import type { PartProps } from './ticket-side.tsx';

type Related = Ticket['children'][number];

export function Family(props: PartProps) {
  return (
    <>
      <Parent {...props} />
      {props.ticket.parent_id === null && <Children {...props} />}
    </>
  );
}

function Parent({ ticket: { ticket_id, company_number, parent, parent_id, children }, writes }: PartProps) {
  const set = (id: number | null, said: string) => editTicket(ticket_id, { parent_id: id }, { parent_id }, said);
  const { open, toggle, ...form } = useEditing((given) =>
    set(Number(given.get('parent_id')) || null, t('Parent ticket changed')),
  );
  if (children.length > 0 || (!parent && !writes)) return null;
  return (
    <Section
      title={t('Parent ticket')}
      act={
        writes &&
        !open && <IconButton icon="edit" label={t('Change parent ticket')} className="quiet" onClick={toggle} />
      }
    >
      {open ? (
        <EditingForm {...form} onCancel={toggle}>
          <RecordField
            type="ticket"
            name="parent_id"
            label={t('Parent ticket')}
            value={parent_id}
            shown={parent ? `${parent.ticket_number} ${parent.subject}` : undefined}
            where={{ company_number }}
            except={ticket_id}
          />
        </EditingForm>
      ) : parent ? (
        <ul className="linked">
          <Line of={parent} remove={writes && (() => set(null, t('Removed from parent ticket')))} />
        </ul>
      ) : (
        <p className="tone-muted">{t('No parent ticket.')}</p>
      )}
    </Section>
  );
}

function Children({ ticket: { ticket_id, children }, writes }: PartProps) {
  const go = useGo();
  if (children.length === 0 && !writes) return null;
  const closed = children.filter((each: Related) => each.status === 'closed').length;
  return (
    <Section
      title={t('Child tickets')}
      act={
        <>
          {children.length > 0 && (
            <span className="tone-muted">{t('{closed} of {count} closed', { closed, count: children.length })}</span>
          )}
          {writes && (
            <IconButton
              icon="plus"
              label={t('New child ticket')}
              className="quiet"
              onClick={() => go(`/tickets/new?parent=${ticket_id}`)}
            />
          )}
        </>
      }
    >
      {children.length === 0 && <p className="tone-muted">{t('No child tickets.')}</p>}
      <ul className="linked">
        {children.map((each: Related) => (
          <Line key={each.ticket_id} of={each} />
        ))}
      </ul>
    </Section>
  );
}

function Line({ of, remove }: { of: Related; remove?: false | (() => Promise<unknown>) }) {
  return (
    <li>
      <Link href={addressWith('/tickets/:quoted', of.ticket_id)}>
        <StatusMark status={of.status} /> {of.ticket_number} {of.subject}
      </Link>
      {of.assigned_name && <span className="tone-muted">{of.assigned_name}</span>}
      {remove && (
        <IconButton
          icon="x"
          label={t('Remove from {ticket_number}', { ticket_number: of.ticket_number })}
          className="quiet"
          onClick={() => void remove().catch(toastError)}
        />
      )}
    </li>
  );
}
