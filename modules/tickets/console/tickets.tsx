// Ticket queue: views, filters, bulk actions and split view (`v`).
import {
  addressWith,
  Filter,
  IconButton,
  LinkButton,
  ListPage,
  Link,
  SearchField,
  Time,
  useKeys,
  useGo,
  useMay,
  useNarrow,
  usePageTitle,
  usePages,
  usePluginColumns,
  useSearchParams,
  words,
  type Sorting,
  t,
} from '@keelson/web';
import { lazy, Suspense, useEffect } from 'react';
import { ColumnChooser, Faces, useColumns, type TicketColumn, type TicketRow } from './queue/columns.tsx';
import { askedOf, keepQueue } from './queue/queue.tsx';
import { TeamFilter } from './queue/team-filter.tsx';
import { useViews, Views } from './queue/views.tsx';
import { LIST, useTechnicians } from './ticket/change.tsx';
import {
  Assignee,
  Due,
  dueTimes,
  priorities,
  PriorityMark,
  StatusMark,
  statuses,
  timesLeft,
  type Status,
  useTimeLeft,
} from './ticket/look.tsx';
import { TagFilter, TagMarks } from './ticket/tags.tsx';
import { Ticket } from './ticket/ticket.tsx';

// Loaded with the first selection, because few visits change tickets in bulk.
const BulkActs = lazy(async () => ({ default: (await import('./queue/bulk-acts.tsx')).BulkActs }));

const brief = (each: TicketRow, left: TicketColumn | undefined) => (
  <>
    <span className="brief-line">
      <StatusMark status={each.status as Status} />
      <b data-unread={each.unread || undefined}>{each.subject}</b>
      <span className="tone-muted">
        <Time at={each.updated_at} />
      </span>
    </span>
    <span className="brief-line tone-muted">
      <PriorityMark priority={each.priority} />
      <span className="grow">
        {each.ticket_number} · {each.company_name}
      </span>
      <Faces id={each.ticket_id} />
      <TagMarks tags={each.tags.slice(0, 1)} />
      {left ? left.cell(each) : <Due ticket={each} />}
      <Assignee name={each.assigned_name} />
    </span>
  </>
);

const choices = (from: Readonly<Record<string, string | { readonly title: string }>>) =>
  Object.fromEntries(
    Object.entries(from).map(([value, each]) => [value, typeof each === 'string' ? each : each.title]),
  );

export default function Tickets() {
  const [params, setParams] = useSearchParams();
  const go = useGo();
  const may = useMay();
  const { narrow } = useNarrow();
  const technicians = useTechnicians();
  const { split, at, view: _view, ...asked } = Object.fromEntries(params);
  const list = usePages(LIST, askedOf(params));
  useEffect(() => keepQueue(params.size > 0 ? `?${params.toString()}` : ''), [params]);
  const { current } = useViews();
  const chosen = useColumns(current, usePluginColumns(list, 'ticket_id'));
  const left = chosen.all.find(({ sort }) => sort === 'time_left');
  const measured = useTimeLeft();
  const teamed = Boolean(asked.team_id) || list.pages.some((rows) => rows.some(({ team_id }) => team_id !== null));
  usePageTitle(current && current.query !== '' ? `${t('Tickets')}: ${current.title}` : t('Tickets'));
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
  const beside = Boolean(split) && !narrow;
  useKeys([
    { keys: 'v', title: t('Preview pane'), run: () => set({ split: split ? '' : '1' }) },
    ...(may('tickets:write') ? [{ keys: 'c', title: t('New ticket'), run: () => go('/tickets/new') }] : []),
  ]);
  const people = technicians.map((each: { user_id: number; name: string }) => ({
    value: String(each.user_id),
    label: each.name,
  }));
  return (
    <div className="queue" data-split={beside || undefined}>
      <ListPage
        title={t('Tickets')}
        noun="tickets"
        list={list}
        columns={chosen.shown}
        brief={(each) => brief(each, left)}
        compact={beside}
        id={(each) => each.ticket_id}
        to={(each) => `/tickets/${each.ticket_number}`}
        current={at ? Number(at) : undefined}
        onWalk={beside ? (each) => set({ at: String(each.ticket_id) }) : undefined}
        onOpen={beside ? (each) => set({ at: String(each.ticket_id) }) : undefined}
        sorting={{ sort: asked.sort ?? 'updated_at', order: asked.order === 'asc' ? 'asc' : 'desc' }}
        onSort={(next: Sorting) => set({ ...next })}
        empty={t('No tickets match these filters. Tickets from mail, portal and chat appear here.')}
        views={<Views columns={chosen.shown.map(({ key }) => key)} />}
        bulk={
          may('tickets:write')
            ? (selected, clear) => (
                <Suspense>
                  <BulkActs ids={[...selected].map(Number)} done={clear} />
                </Suspense>
              )
            : undefined
        }
        filters={
          <>
            <SearchField
              label={t('Filter by text, number or company')}
              value={asked.search ?? ''}
              onSearch={(search) => set({ search })}
            />
            <Filter
              label={t('Status')}
              any={t('Unresolved')}
              value={asked.status ?? ''}
              choices={choices(statuses)}
              onChoose={(status) => set({ status })}
            />
            <Filter
              label={t('Priority')}
              value={asked.priority ?? ''}
              choices={choices(priorities)}
              onChoose={(priority) => set({ priority })}
            />
            <TagFilter value={asked.tag ?? ''} onChoose={(tag) => set({ tag })} />
            <Filter label={t('Due')} value={asked.due ?? ''} choices={dueTimes} onChoose={(due) => set({ due })} />
            {measured && (
              <Filter
                label={t('Time left')}
                value={asked.time_left ?? ''}
                choices={timesLeft}
                onChoose={(time_left) => set({ time_left })}
              />
            )}
            {teamed && <TeamFilter value={asked.team_id ?? ''} onChoose={(team_id) => set({ team_id })} />}
            <Filter
              label={t('Assignee')}
              value={asked.assigned_to ?? ''}
              choices={[{ value: 'me', label: t('Me') }, { value: 'none', label: t('Unassigned') }, ...people]}
              onChoose={(assigned_to) => set({ assigned_to })}
            />
          </>
        }
        actions={
          <>
            {!narrow && !beside && <ColumnChooser {...chosen} view={current} />}
            {!narrow && (
              <IconButton
                icon="split"
                label={t('Preview pane (v)')}
                aria-pressed={beside}
                onClick={() => set({ split: split ? '' : '1' })}
              />
            )}
            {may('tickets:write') && (
              <LinkButton to="/tickets/new" look="primary" icon="plus">
                {t('New ticket')}
              </LinkButton>
            )}
          </>
        }
      />
      {beside && (
        <div className="beside">
          {at ? (
            <Ticket id={Number(at)} inset key={at} />
          ) : (
            <p className="none">{t('Use j and k to select a ticket.')}</p>
          )}
          {at && (
            <Link href={addressWith('/tickets/:quoted', at)} className="hidden">
              {t('Open {words} {at} in full', { words: words('ticket'), at })}
            </Link>
          )}
        </div>
      )}
    </div>
  );
}
