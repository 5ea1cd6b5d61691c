// Built-in and saved views of the queue. A saved view is a URL; its count comes from counters.
import {
  call,
  IconButton,
  Link,
  number,
  queries,
  stale,
  toast,
  useItem,
  useSearchParams,
  toastError,
} from '@keelson/web';

interface View {
  readonly id: string;
  readonly title: string;
  /** Query string of the view. */
  readonly query: string;
  /** Key of its count. */
  readonly counted?: string;
}

const builtIn: readonly View[] = [
  { id: 'unresolved', title: 'All open', query: '', counted: 'unresolved' },
  { id: 'mine', title: 'Mine', query: 'assigned_to=me', counted: 'mine' },
  { id: 'following', title: 'Following', query: 'watched_by=me' },
  { id: 'unassigned', title: 'Unassigned', query: 'assigned_to=none', counted: 'unassigned' },
  { id: 'in_progress', title: 'In progress', query: 'status=in_progress' },
  { id: 'critical', title: 'Critical', query: 'priority=1' },
  { id: 'due', title: 'Due', query: 'due=set&sort=due_date&order=asc' },
  { id: 'everything', title: 'Everything', query: 'status=all' },
];
const COUNTED = builtIn.flatMap(({ counted }) => counted ?? []).join(',');

/** Display parameters, which are not part of a view. */
const SHOWN = new Set(['split', 'at']);

export function Views() {
  const [params] = useSearchParams();
  // Keep the split layout when switching views.
  const shown = params.get('split') ? 'split=1' : '';
  const own = useItem('GET /views.php', { list: 'tickets' }).data ?? [];
  const counts = useItem('GET /tickets.php?action=counts', { views: COUNTED }).data ?? [];
  const views: readonly View[] = [
    ...builtIn,
    ...own.map((each) => ({ id: `v${each.view_id}`, title: each.title, query: queryOf(each.query) })),
  ];
  const now = plain(params);
  const known = views.some(({ query }) => plain(new URLSearchParams(query)) === now);
  return (
    <nav className="views" aria-label="Views">
      {views.map(({ id, title, query, counted }) => {
        const count = counts.find((each) => each.view === counted)?.count;
        return (
          <Link
            key={id}
            href={`/tickets?${[query, shown].filter(Boolean).join('&')}`.replace(/\?$/, '')}
            aria-current={plain(new URLSearchParams(query)) === now ? 'true' : undefined}
          >
            {title}
            {typeof count === 'number' && <small>{number(count)}</small>}
          </Link>
        );
      })}
      {!known && <IconButton icon="plus" label="Save this view" onClick={() => void save(params)} />}
    </nav>
  );
}

async function save(params: URLSearchParams): Promise<void> {
  const asked = [...params].filter(([name]) => !SHOWN.has(name));
  const title = asked
    .map(([, value]) => value.replaceAll('_', ' '))
    .join(', ')
    .slice(0, 60);
  try {
    await call('POST /views.php', { body: { title, list: 'tickets', query: Object.fromEntries(asked) } });
    toast(`Saved as “${title}”`);
  } catch (error) {
    toastError(error);
  }
  await stale(queries, ['/views.php']);
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
