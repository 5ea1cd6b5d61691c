// The routes of a shell, from the pages that are declared.
import { useEffect, useRef } from 'react';
import { Route, Switch, useLocation } from 'wouter';
import { usePageTitle } from './list-page.tsx';
import { Bones, Empty } from './parts.tsx';
import { Piece } from './piece.tsx';
import { useSession, type PageEntry } from './session.tsx';

/** Fixed addresses come before those with parameters: `/tickets/new` before `/tickets/:id`. */
const bySpecificity = (a: PageEntry, b: PageEntry) => parameters(a) - parameters(b) || b.path.length - a.path.length;
const parameters = ({ path }: PageEntry) => path.split('/').filter((each) => each.startsWith(':')).length;

export function PageRoutes() {
  const { pages } = useSession();
  return (
    <Switch>
      {pages.toSorted(bySpecificity).map((page) => (
        <Route key={page.path} path={page.path}>
          {(params: Readonly<Record<string, string | undefined>>) =>
            isWord(params['id']) ? (
              <NotFound />
            ) : (
              <Piece of={page} title={page.title} given={{ params }} waiting={<Waiting title={page.title} />} />
            )
          }
        </Route>
      ))}
      <Route>
        <NotFound />
      </Route>
    </Switch>
  );
}

/** `/workflows/new` is no workflow where the page of that address is not for the person. */
const isWord = (id: string | undefined): boolean => id !== undefined && /^[a-z]+$/.test(id);

/** The heading stands at once; what it is about follows. */
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
  usePageTitle('Not found');
  return (
    <div className="sheet-page">
      <header className="page-head">
        <h1>Not found</h1>
      </header>
      <Empty icon="search" title="There is no such page, or it is not for you." />
    </div>
  );
}

/** A new page is read out, and keys go to it: the focus follows the address. */
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
