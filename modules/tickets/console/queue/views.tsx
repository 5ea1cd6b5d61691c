// Built-in and saved views of the queue. A saved view is a URL with its columns; its count comes from counters.
import {
  call,
  confirm,
  Dialog,
  Icon,
  IconButton,
  Link,
  Menu,
  number,
  queries,
  stale,
  toastError,
  useItem,
  useSearchParams,
  useSession,
  type Row,
  t,
} from '@keelson/web';
import { lazy, Suspense, useState } from 'react';
import { useTimeLeft } from '../ticket/look.tsx';

// Loaded when it is needed, because the queue has to be small.
const ViewForm = lazy(async () => ({ default: (await import('./view-form.tsx')).ViewForm }));

type SavedView = Row<'GET /views.php'>;

export interface View {
  readonly id: string;
  readonly title: string;
  /** Query string of the view. */
  readonly query: string;
  /** Key of its count. */
  readonly counted?: string;
  readonly columns?: readonly string[];
  readonly saved?: SavedView;
}

/** Offered if a module measures the time left. */
const byTimeLeft: View = { id: 'time_left', title: t('Time left'), query: 'sort=time_left&order=asc' };

const builtIn: readonly View[] = [
  { id: 'unresolved', title: t('All open'), query: '', counted: 'unresolved' },
  { id: 'mine', title: t('Mine'), query: 'assigned_to=me', counted: 'mine' },
  { id: 'following', title: t('Following'), query: 'watched_by=me' },
  { id: 'unassigned', title: t('Unassigned'), query: 'assigned_to=none', counted: 'unassigned' },
  { id: 'in_progress', title: t('In progress'), query: 'status=in_progress' },
  { id: 'critical', title: t('Critical'), query: 'priority=1' },
  { id: 'due', title: t('Due'), query: 'due=set&sort=due_date&order=asc' },
  { id: 'everything', title: t('Everything'), query: 'status=all' },
];
const COUNTED = builtIn.flatMap(({ counted }) => counted ?? []).join(',');

/** Display parameters, which are not part of a view. */
const SHOWN = new Set(['split', 'at']);

/** Returns all views, and the one shown on the page. */
export function useViews(): { readonly views: readonly View[]; readonly current: View | undefined } {
  const [params] = useSearchParams();
  const measured = useTimeLeft();
  const own = useItem('GET /views.php', { list: 'tickets' }).data ?? [];
  const views: readonly View[] = [
    ...builtIn.toSpliced(1, 0, ...(measured ? [byTimeLeft] : [])),
    ...own.map((saved: SavedView) => ({
      id: `v${saved.view_id}`,
      title: saved.title,
      query: queryOf(saved.query),
      columns: saved.columns,
      saved,
    })),
  ];
  const now = plain(params);
  return { views, current: views.find(({ query }) => plain(new URLSearchParams(query)) === now) };
}

export function Views({ columns }: { columns: readonly string[] }) {
  const [params] = useSearchParams();
  const { views, current } = useViews();
  // Keep the split layout when switching views.
  const shown = params.get('split') ? 'split=1' : '';
  const counts = useItem('GET /tickets.php?action=counts', { views: COUNTED }).data ?? [];
  return (
    <>
      <nav className="views" aria-label={t('Views')}>
        {views.map((view) => {
          const count = counts.find((each) => each.view === view.counted)?.count;
          return (
            <Link
              key={view.id}
              href={`/tickets?${[view.query, shown].filter(Boolean).join('&')}`.replace(/\?$/, '')}
              aria-current={view === current ? 'true' : undefined}
            >
              {view.title}
              {typeof count === 'number' && <small>{number(count)}</small>}
            </Link>
          );
        })}
      </nav>
      <ViewActs current={current} columns={columns} />
    </>
  );
}

/** Saves the filters as a view; changes or deletes a saved one. */
function ViewActs({ current, columns }: { current: View | undefined; columns: readonly string[] }) {
  const { person } = useSession();
  const [params] = useSearchParams();
  const [open, setOpen] = useState(false);
  const saved = current?.saved;
  const administers = person.role === 'administrator';
  if (current && !saved) return null;
  if (saved && saved.user_id !== person.id && !administers) return null;
  const query = Object.fromEntries([...params].filter(([name]) => !SHOWN.has(name)));
  const close = () => setOpen(false);
  const remove = async (view: SavedView) => {
    const text = view.shared ? t('Your colleagues lose it too.') : '';
    if (
      !(await confirm({
        title: t('Delete the view “{title}”?', { title: view.title }),
        text,
        act: t('Delete'),
        danger: true,
      }))
    )
      return;
    await call('DELETE /views.php?id={id}', { id: view.view_id }).catch(toastError);
    await stale(queries, ['/views.php']);
  };
  return (
    <>
      {saved ? (
        <Menu
          label={t('View “{title}”', { title: saved.title })}
          className="icon-button"
          choices={[
            { value: 'change', label: t('Change view'), icon: 'edit' },
            { value: 'delete', label: t('Delete view'), icon: 'trash', danger: true },
          ]}
          onChoose={(act) => (act === 'change' ? setOpen(true) : void remove(saved))}
        >
          <Icon name="more" />
        </Menu>
      ) : (
        <IconButton icon="plus" label={t('Save this view')} onClick={() => setOpen(true)} />
      )}
      <Dialog title={saved ? t('Change view') : t('Save view')} open={open} onClose={close}>
        <Suspense>
          <ViewForm saved={saved} query={query} columns={columns} shares={administers} done={close} />
        </Suspense>
      </Dialog>
    </>
  );
}

const queryOf = (query: object): string =>
  new URLSearchParams(Object.entries(query).map(([name, value]) => [name, String(value)])).toString();

/** Normalises a query string: drops display parameters and sorts the rest. */
function plain(params: URLSearchParams): string {
  return [...params]
    .filter(([name]) => !SHOWN.has(name))
    .map(([name, value]) => `${name}=${value}`)
    .toSorted()
    .join('&');
}
