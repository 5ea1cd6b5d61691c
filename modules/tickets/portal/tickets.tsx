// The person's own tickets and, for managers, their team's.
import {
  Filter,
  LinkButton,
  ListPage,
  SearchField,
  Time,
  useMay,
  usePages,
  useSearchParams,
  type Column,
  t,
} from '@keelson/web';
import { State, states, type TicketRow } from './look.tsx';

const columns: readonly Column<TicketRow>[] = [
  { key: 'number', title: t('No.'), width: '4rem', look: 'muted', cell: (each) => each.ticket_number },
  { key: 'subject', title: t('Subject'), width: 'minmax(12rem, 1fr)', look: 'strong', cell: (each) => each.subject },
  { key: 'state', title: t('State'), width: '9rem', cell: (each) => <State ticket={each} /> },
];

const brief = (each: TicketRow) => (
  <>
    <span className="ticket-line">
      <b>{each.subject}</b>
      <State ticket={each} />
    </span>
    <span className="line-about">
      <span>{each.ticket_number}</span>
      {each.requester_name && <span>{each.requester_name}</span>}
      {each.assigned_tech_name && (
        <span>{t('{assigned_tech_name} is looking after it', { assigned_tech_name: each.assigned_tech_name })}</span>
      )}
      <Time at={each.updated_at} />
    </span>
  </>
);

const choices = Object.fromEntries(Object.entries(states).map(([value, { title }]) => [value, title]));

export default function Tickets() {
  const [params, setParams] = useSearchParams();
  const may = useMay();
  const { of, q, status } = Object.fromEntries(params);
  const watched = of === 'watched' && !q;
  const asked = {
    ...(q && { q }),
    ...(watched && { watched }),
    ...(status && { status: status as 'open' }),
  };
  // A search covers every ticket the person may see.
  const path = q || watched ? 'GET /tickets/search' : of === 'team' ? 'GET /tickets/team' : 'GET /tickets';
  const list = usePages(path, asked);
  const set = (change: Readonly<Record<string, string>>) =>
    setParams(
      (now) => {
        const next = new URLSearchParams(now);
        for (const [name, value] of Object.entries(change)) {
          if (value) next.set(name, value);
          else next.delete(name);
        }
        return next;
      },
      { replace: true },
    );
  return (
    <ListPage
      title={t('Tickets')}
      noun="tickets"
      list={list}
      columns={columns}
      brief={brief}
      compact
      id={(each) => each.ticket_id}
      to={(each) => `/tickets/${each.ticket_number}`}
      empty={
        q || status || of ? t('No tickets match these filters.') : t('Your tickets and their progress appear here.')
      }
      actions={
        may('can_create_tickets') && (
          <LinkButton to="/tickets/new" look="primary" icon="plus">
            {t('New ticket')}
          </LinkButton>
        )
      }
      filters={
        <>
          <SearchField label={t('Search tickets')} value={q ?? ''} onSearch={(text) => set({ q: text })} />
          {!q && (
            <Filter
              label={t('Whose')}
              any={t('My tickets')}
              value={of ?? ''}
              choices={{ ...(may('ismgr') && { team: t('My team') }), watched: t('Tickets I follow') }}
              onChoose={(chosen) => set({ of: chosen })}
            />
          )}
          <Filter
            label={t('State')}
            value={status ?? ''}
            choices={choices}
            onChoose={(chosen) => set({ status: chosen })}
          />
        </>
      }
    />
  );
}
