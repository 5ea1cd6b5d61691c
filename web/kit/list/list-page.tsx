// List page: title, actions, filters, table and bulk actions.
import { useEffect, useRef, useState, type ReactNode } from 'react';
import { Icon } from '../components/icon.tsx';
import { Menu } from '../components/menu.tsx';
import { Button } from '../components/parts.tsx';
import { counted } from '../format.ts';
import { useKeys } from '../shell/keys.tsx';
import { t, withinSentence } from '../shell/words.ts';
import { Table, type TableProps } from './table.tsx';

export interface ListPageProps<R> extends Omit<TableProps<R>, 'label'> {
  readonly title: string;
  /** Right of the title: search, new. */
  readonly actions?: ReactNode;
  /** Views beside the title. */
  readonly views?: ReactNode;
  /** Filter bar below the title. */
  readonly filters?: ReactNode;
  /** Noun for the rows in the total: `tickets`. */
  readonly noun?: string;
  /** Bulk actions for the selected rows. */
  readonly bulk?: (selected: ReadonlySet<string | number>, clear: () => void) => ReactNode;
  /** Shown above the table, such as a form. */
  readonly children?: ReactNode;
}

export function ListPage<R>(props: ListPageProps<R>) {
  const { title, actions, views, filters, noun, bulk, children, ...table } = props;
  const [selected, setSelected] = useState<ReadonlySet<string | number>>(new Set());
  const clear = () => setSelected(new Set());
  usePageTitle(title);
  useKeys(selected.size > 0 ? [{ keys: 'Escape', title: t('Clear selection'), run: clear }] : []);
  const { total, capped, loading } = table.list;
  const selection = bulk ? { selected, onSelect: setSelected } : {};
  return (
    <div className="list-page">
      <header className="page-head">
        <h1>{title}</h1>
        {views}
        <div className="page-acts">{actions}</div>
      </header>
      {(filters || noun) && (
        <div className="filters">
          {filters}
          <span className="total" role="status">
            {!loading &&
              (capped ? counted(total, noun ?? '').replace(/\d[\d.,\s]*\d/, '$&+') : counted(total, noun ?? ''))}
          </span>
        </div>
      )}
      {children}
      <Table label={title} {...table} {...selection} />
      {bulk && selected.size > 0 && (
        <div className="bulk" role="toolbar" aria-label={t('Selected rows')}>
          <b>{t('{size} selected', { size: selected.size })}</b>
          {bulk(selected, clear)}
          <Button look="quiet" onClick={clear}>
            {t('Clear', {}, 'selection')}
          </Button>
        </div>
      )}
    </div>
  );
}

/** Sets the window title. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = title;
  }, [title]);
}

/** Search field, debounced. */
export function SearchField({
  label,
  value,
  onSearch,
}: {
  label: string;
  value: string;
  onSearch: (text: string) => void;
}) {
  const [text, setText] = useState(value);
  const [from, setFrom] = useState(value);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  if (from !== value) {
    setFrom(value);
    // A space that was just typed stays.
    if (value !== text.trim()) setText(value);
  }
  useEffect(() => () => clearTimeout(timer.current), []);
  const change = (next: string) => {
    setText(next);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => onSearch(next.trim()), 200);
  };
  return (
    <label className="search-field">
      <Icon name="search" />
      <span className="hidden">{label}</span>
      <input
        type="search"
        value={text}
        placeholder={label}
        maxLength={200}
        onChange={(event) => change(event.target.value)}
      />
    </label>
  );
}

interface FilterProps {
  readonly label: string;
  /** Label for no filter. */
  readonly any?: string;
  readonly value: string;
  readonly choices: Readonly<Record<string, string>> | readonly { readonly value: string; readonly label: string }[];
  /** Whether the choices need the label beside them, as Yes and No do. */
  readonly named?: boolean;
  readonly onChoose: (value: string) => void;
}

/** List filter that shows the current choice. */
export function Filter({
  label,
  any = t('Any {label}', { label: withinSentence(label) }),
  value,
  choices,
  named = false,
  onChoose,
}: FilterProps) {
  const all = Array.isArray(choices)
    ? (choices as readonly { value: string; label: string }[])
    : Object.entries(choices).map(([key, text]) => ({ value: key, label: text as string }));
  const chosen = all.find((each) => each.value === value);
  return (
    <Menu
      label={label}
      className="filter"
      value={value}
      choices={[{ value: '', label: any }, ...all]}
      onChoose={onChoose}
    >
      <span data-on={chosen ? '' : undefined}>
        {named && chosen && <span aria-hidden="true">{label}: </span>}
        {chosen?.label ?? label}
      </span>
      <Icon name="chevron-down" size={14} />
    </Menu>
  );
}
