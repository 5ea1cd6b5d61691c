// Record page: header, main content, and a sidebar of facts and slots.
import { useEffect, useId, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { Link, useSearchParams } from 'wouter';
import { EditingForm, useEditing } from '../form/editable-fact.tsx';
import { rawText, TextField } from '../form/form.tsx';
import { usePageTitle } from '../list/list-page.tsx';
import { useNarrow } from '../media.ts';
import { useVisited } from '../shell/recent.ts';
import { t, withinSentence } from '../shell/words.ts';
import { Icon } from './icon.tsx';
import { Bones, Failed, IconButton } from './parts.tsx';

export interface RecordPageProps {
  /** Number shown before the title, such as `1014`. */
  readonly number?: string | number;
  readonly title: string;
  /** Inline editing of the title, and the label of its field: `Subject`. */
  readonly rename?: { readonly label: string; readonly save: (title: string) => Promise<unknown> } | undefined;
  /** Link back to the list. */
  readonly back?: { readonly to: string; readonly title: string } | undefined;
  readonly badge?: ReactNode;
  /** Primary controls in the header. */
  readonly acts?: ReactNode;
  readonly side?: ReactNode;
  readonly children: ReactNode;
  /** Shown beside a list: no back link, no sidebar. */
  readonly inset?: boolean;
  /** The record is not loaded. */
  readonly pending?: boolean;
}

export function RecordPage(props: RecordPageProps) {
  const { number, title, rename, back, badge, acts, side, children, inset = false, pending } = props;
  usePageTitle(number ? `${number} ${title}` : title);
  useVisited(inset || !back || pending ? undefined : number ? `${number} ${title}` : title);
  // On a phone the page scrolls as a whole, including by keyboard.
  const { narrow } = useNarrow();
  const Heading = inset ? 'h2' : 'h1';
  const { open, toggle, ...renaming } = useEditing(async (given) => rename?.save(rawText(given, 'title')));
  return (
    <article className="record" data-inset={inset || undefined}>
      <header className="page-head">
        {back && !inset && (
          <Link href={back.to} className="icon-button" title={back.title}>
            <Icon name="chevron-left" />
            <span className="hidden">{back.title}</span>
          </Link>
        )}
        <Heading className={open ? 'hidden' : 'record-title'}>
          {number && <span className="number">{number} </span>}
          {title}
        </Heading>
        {rename && open && (
          <EditingForm {...renaming} onCancel={toggle}>
            <TextField name="title" label={rename.label} value={title} max={255} required />
          </EditingForm>
        )}
        {rename && !open && (
          <IconButton
            icon="edit"
            label={t('Change {label}', { label: withinSentence(rename.label) })}
            className="quiet"
            onClick={toggle}
          />
        )}
        {badge}
        <div className="page-acts">{acts}</div>
      </header>
      <div className="record-body" tabIndex={narrow ? 0 : undefined}>
        <div className="record-main">{children}</div>
        {side && !inset && (
          <aside className="record-side" aria-label={t('Facts')}>
            {side}
          </aside>
        )}
      </div>
    </article>
  );
}

interface RecordPendingProps extends Pick<RecordPageProps, 'title' | 'back' | 'inset'> {
  /** Load error; null while loading. */
  readonly error: Error | null;
  readonly retry: () => void;
}

/** Record page while loading or after a load error. */
export function RecordPending({ error, retry, ...page }: RecordPendingProps) {
  return (
    <RecordPage {...page} pending>
      {error ? <Failed error={error} retry={retry} /> : <Bones rows={8} />}
    </RecordPage>
  );
}

/** Section of a record's sidebar. */
export function Section({ title, act, children }: { title: string; act?: ReactNode; children: ReactNode }) {
  return (
    <section className="side-section">
      <header>
        <h2>{title}</h2>
        {act}
      </header>
      {children}
    </section>
  );
}

export interface Tab {
  readonly id: string;
  readonly title: ReactNode;
  readonly body: () => ReactNode;
}

interface TabsProps {
  readonly label: string;
  readonly tabs: readonly Tab[];
  readonly first?: string;
  /** Stores the open tab in the URL for links and back navigation. */
  readonly addressed?: boolean;
}

/** Tabs of a record; only the open tab is loaded. */
export function Tabs({ label, tabs, first = tabs[0]?.id, addressed = false }: TabsProps) {
  const [params, setParams] = useSearchParams();
  const [kept, setKept] = useState(first);
  const chosen = addressed ? (params.get('tab') ?? first) : kept;
  const setChosen = (id: string) =>
    addressed ? setParams(id === first ? {} : { tab: id }, { replace: true }) : setKept(id);
  const base = useId();
  const open = tabs.find((each) => each.id === chosen) ?? tabs[0];
  const onKey = (event: KeyboardEvent<HTMLElement>) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (!step || !open) return;
    const next = tabs[(tabs.indexOf(open) + step + tabs.length) % tabs.length];
    if (!next) return;
    event.preventDefault();
    setChosen(next.id);
    document.getElementById(`${base}-${next.id}`)?.focus();
  };
  const list = useRef<HTMLDivElement>(null);
  // On narrow screens the tabs scroll sideways.
  useEffect(() => {
    const tab = list.current?.querySelector<HTMLElement>('[aria-selected="true"]');
    if (tab) list.current?.scrollTo({ left: tab.offsetLeft - (list.current.clientWidth - tab.offsetWidth) / 2 });
  }, [open?.id]);
  if (!open) return null;
  return (
    <div className="tabs">
      <div role="tablist" aria-label={label} onKeyDown={onKey} ref={list}>
        {tabs.map(({ id, title }) => (
          <button
            key={id}
            id={`${base}-${id}`}
            type="button"
            role="tab"
            aria-selected={id === open.id}
            aria-controls={`${base}-panel`}
            tabIndex={id === open.id ? 0 : -1}
            onClick={() => setChosen(id)}
          >
            {title}
          </button>
        ))}
      </div>
      <div role="tabpanel" id={`${base}-panel`} aria-labelledby={`${base}-${open.id}`} key={open.id}>
        {open.body()}
      </div>
    </div>
  );
}

/** Page of cards without a record, such as home. */
export function Sheet({ title, acts, children }: { title: string; acts?: ReactNode; children: ReactNode }) {
  usePageTitle(title);
  return (
    <div className="sheet-page">
      <header className="page-head">
        <h1>{title}</h1>
        <div className="page-acts">{acts}</div>
      </header>
      <div className="sheet-body">{children}</div>
    </div>
  );
}
