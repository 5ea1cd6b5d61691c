// Routes of a shell, built from the declared pages.
import { useEffect, useRef } from 'react';
import { Redirect, Route, Switch, useLocation } from 'wouter';
import { addressWith, idOfQuoted, isQuoted } from '../address.ts';
import { Bones, Empty, Failed } from '../components/parts.tsx';
import { nameOf } from '../form/record-field.tsx';
import { usePageTitle } from '../list/list-page.tsx';
import { answered } from '../list/pages.ts';
import { useAnswer } from '../request/client.ts';
import { Current } from './go.tsx';
import { Piece } from './piece.tsx';
import { useSession, type PageEntry, type RecordEntry } from './session.tsx';
import { t } from './words.ts';

/** Sorts fixed paths before parameterised ones: `/tickets/new` before `/tickets/:id`. */
const bySpecificity = (a: PageEntry, b: PageEntry) => parameters(a) - parameters(b) || b.path.length - a.path.length;
const parameters = ({ path }: PageEntry) => path.split('/').filter((each) => each.startsWith(':')).length;

export function PageRoutes() {
  const { pages } = useSession();
  return (
    <Switch>
      {pages.toSorted(bySpecificity).map((page) => (
        <Route key={page.path} path={page.path}>
          {(params: Params) => <Page of={page} params={params} />}
        </Route>
      ))}
      <Route>
        <NotFound />
      </Route>
    </Switch>
  );
}

type Params = Readonly<Record<string, string | undefined>>;

/** Resolves the URL to a record id and renders the page. */
function Page({ of, params }: { of: PageEntry; params: Params }) {
  const { id, quoted } = params;
  const entry = useSession().records.find((each) => each.path === of.path);
  if (quoted === undefined ? isWord(id) : /\D/.test(quoted)) return <NotFound />;
  if (quoted !== undefined) {
    const found = idOfQuoted(quoted);
    if (found) return <Shown of={of} params={{ id: found }} />;
    return <Redirect to={addressWith(of.path, quoted) + location.search} replace />;
  }
  if (id !== undefined && isQuoted(id) && entry?.find)
    return <Quoted of={of} entry={entry} find={entry.find} quoted={id} />;
  return <Shown of={of} params={params} />;
}

/** A page of its own for each record, so that no input moves from one to the next. */
function Shown({ of, params }: { of: PageEntry; params: Params }) {
  return (
    <Current key={Object.values(params).join('/')}>
      <Piece of={of} title={of.title} given={{ params }} waiting={<Waiting title={of.title} />} />
    </Current>
  );
}

interface QuotedProps {
  readonly of: PageEntry;
  readonly entry: RecordEntry;
  readonly find: string;
  readonly quoted: string;
}

/** Resolves a public number such as `/invoices/INV-000002` to its record. */
function Quoted({ of, entry, find, quoted }: QuotedProps) {
  const { data, error, refetch } = useAnswer(find, { search: quoted });
  if (error) return <Failed error={error} retry={() => void refetch()} />;
  if (!data) return <Waiting title={of.title} />;
  const row = answered<Readonly<Record<string, unknown>>>(data).rows.find((each) => nameOf(entry, each) === quoted);
  return row ? <Shown of={of} params={{ id: String(row[entry.id]) }} /> : <NotFound />;
}

/** Detects words such as `new`, which are not ids even if the person has no access to that page. */
const isWord = (id: string | undefined): boolean => id !== undefined && /^[a-z]+$/.test(id);

/** Placeholder with the heading while a record loads. */
function Waiting({ title }: { title: string }) {
  return (
    <div>
      <header className="page-head">
        <h1>{title}</h1>
      </header>
      <Bones rows={12} />
    </div>
  );
}

function NotFound() {
  usePageTitle(t('Not found'));
  return (
    <div className="sheet-page">
      <header className="page-head">
        <h1>{t('Not found')}</h1>
      </header>
      <Empty icon="search" title={t('This page does not exist, or you don’t have access to it.')} />
    </div>
  );
}

/** Moves focus to the new page on navigation, for screen readers and keyboard use. */
export function useFocusOnMain() {
  const main = useRef<HTMLElement>(null);
  const [path] = useLocation();
  const before = useRef(path);
  useEffect(() => {
    if (before.current === path) return;
    before.current = path;
    if (!main.current?.contains(document.activeElement)) main.current?.focus({ preventScroll: true });
    main.current?.scrollTo(0, 0);
  }, [path]);
  return main;
}
