// Windowed table of any length, with keyboard navigation and two-line rows on phones.
import { useEffect, useId, useRef, useState, type MouseEvent, type ReactNode } from 'react';
import { Link, useLocation } from 'wouter';
import { Icon } from '../components/icon.tsx';
import { Bones, Empty, Failed } from '../components/parts.tsx';
import { useNarrow } from '../media.ts';
import { useKeys } from '../shell/keys.tsx';
import { t } from '../shell/words.ts';
import { firstRows, type Rows } from './pages.ts';
import { useWindow } from './window.ts';

export interface Column<R> {
  readonly key: string;
  readonly title: string;
  /** Shows the title to screen readers only. */
  readonly untitled?: boolean;
  /** Length or CSS grid track size; its first length is the least that the column needs. */
  readonly width: string;
  /** Least width in rem at which the cells are readable, where `width` can shrink below. */
  readonly wants?: number;
  /**
   * Left out where the columns do not fit beside each other: `early` ones, from the left, so that the others have the
   * width they want; `late` ones, from the right, only where the others would not fit at their least, numbers last. The
   * sorted column stays.
   */
  readonly yields?: 'early' | 'late' | undefined;
  /** `strong`, `muted` or `right`; separate several with spaces. */
  readonly look?: string;
  /** Sort name; makes the column header sortable. */
  readonly sort?: string;
  /** Sorts ascending first, such as by due date. */
  readonly ascending?: boolean;
  readonly cell: (row: R) => ReactNode;
}

export interface Sorting {
  readonly sort: string;
  readonly order: 'asc' | 'desc';
}

export interface TableProps<R> {
  readonly label: string;
  readonly list: Rows<R>;
  readonly columns: readonly Column<R>[];
  readonly id: (row: R) => string | number;
  /** URL of a row. */
  readonly to?: ((row: R) => string) | undefined;
  /** Two-line row for narrow layouts. By default, the first and the muted columns make up the row. */
  readonly brief?: ((row: R) => ReactNode) | undefined;
  /** Always uses two-line rows, such as beside a record. */
  readonly compact?: boolean;
  readonly empty: ReactNode;
  readonly sorting?: Sorting | undefined;
  readonly onSort?: ((sorting: Sorting) => void) | undefined;
  /** Enables selection; the page owns the state. */
  readonly selected?: ReadonlySet<string | number>;
  readonly onSelect?: (selected: ReadonlySet<string | number>) => void;
  /** Called when keyboard navigation reaches a row. */
  readonly onWalk?: (row: R) => void;
  /** Id of the row open beside the list. */
  readonly current?: string | number | undefined;
  /** Opens a row by other means than its page. */
  readonly onOpen?: ((row: R) => void) | undefined;
}

const ROW = 36;
const TOUCH = 48;
const BRIEF = 56;
/** Width of the selection column, of the gap between columns and of both edges, in rem. */
const BOX = 2.75;
const GAP = 0.75;
const EDGES = 2;

export function Table<R>(props: TableProps<R>) {
  const { label, list, id, to, brief, compact = false, empty, sorting, onSort, selected, onSelect } = props;
  const { onWalk, current, onOpen } = props;
  const { narrow, touch } = useNarrow();
  const two = compact || narrow;
  const height = two ? (touch ? 64 : BRIEF) : touch ? TOUCH : ROW;
  const [box, setBox] = useState<HTMLDivElement | null>(null);
  const { total, need, at } = list;
  const sight = useWindow(box, total, height);
  const columns = two
    ? props.columns
    : fitting(props.columns, sight.width, { box: onSelect ? BOX : 0, sorted: sorting?.sort });
  const [walked, setWalked] = useState(0);
  const on = Math.min(walked, Math.max(0, total - 1));
  const [, go] = useLocation();
  const name = useId();
  useEffect(() => need(sight.first, Math.max(sight.first, sight.end - 1)), [need, sight.first, sight.end]);

  const walk = (index: number) => {
    // If nothing is open beside the list, the first step opens the marked row.
    const first = onWalk !== undefined && current === undefined;
    const next = first ? on : Math.max(0, Math.min(total - 1, index));
    setWalked(next);
    sight.show(next);
    const row = at(next);
    if (row) onWalk?.(row);
  };
  const shown = useRef<string | number>(undefined);
  const place = indexOf(list, id, current);
  useEffect(() => {
    if (place >= 0) {
      shown.current = current;
      setWalked(place);
    } else if (current !== undefined && shown.current === current && !list.fetching && !isTyping()) {
      // The open row has left the list; open the row now in its place.
      const row = at(on);
      if (row) onWalk?.(row);
    }
    // oxlint-disable-next-line react-hooks/exhaustive-deps
  }, [place, current, list.fetching, total]);
  const open = (row: R | undefined) => {
    if (!row) return;
    if (onOpen) onOpen(row);
    else if (to) go(to(row));
  };
  const select = (row: R | undefined) => {
    if (!row || !selected || !onSelect) return;
    const next = new Set(selected);
    if (!next.delete(id(row))) next.add(id(row));
    onSelect(next);
  };
  const focused = () =>
    !(
      document.activeElement instanceof HTMLElement &&
      document.activeElement.closest('a,button,[role=menu]') &&
      !box?.contains(document.activeElement)
    );
  useKeys([
    { keys: 'j|ArrowDown', title: t('Next row'), run: () => walk(on + 1) },
    { keys: 'k|ArrowUp', title: t('Previous row'), run: () => walk(on - 1) },
    ...(to || onOpen
      ? [
          {
            keys: 'Enter',
            title: t('Open row'),
            run: () => (focused() ? open(at(on)) : (document.activeElement as HTMLElement).click()),
          },
        ]
      : []),
    ...(onSelect ? [{ keys: 'x', title: t('Select row'), run: () => select(at(on)) }] : []),
  ]);

  if (list.error) return <Failed error={list.error} retry={list.retry} />;
  if (list.loading) return <Bones rows={12} />;
  if (total === 0) return typeof empty === 'string' ? <Empty title={empty} /> : empty;
  const template = [onSelect && !two ? `${BOX}rem` : '', ...columns.map((each) => each.width)]
    .filter(Boolean)
    .join(' ');
  const indexes = Array.from({ length: sight.end - sight.first }, (_, index) => sight.first + index);
  return (
    <div
      ref={setBox}
      className="table"
      role="grid"
      aria-label={label}
      aria-rowcount={total + (two ? 0 : 1)}
      aria-colcount={two ? 1 : columns.length + (onSelect ? 1 : 0)}
      aria-busy={list.fetching}
      aria-multiselectable={onSelect ? true : undefined}
      aria-activedescendant={`${name}-${on}`}
      tabIndex={0}
      data-two={two || undefined}
      data-select={onSelect ? '' : undefined}
    >
      {!two && (
        <div role="rowgroup" data-heading className="heading">
          <div role="row" aria-rowindex={1} className="row" style={{ gridTemplateColumns: template }}>
            {onSelect && <AllBox list={list} id={id} selected={selected} onSelect={onSelect} />}
            {columns.map((each) => (
              <Heading key={each.key} column={each} sorting={sorting} onSort={onSort} />
            ))}
          </div>
        </div>
      )}
      <div role="rowgroup" className="rows" style={{ height: sight.height }}>
        <div role="presentation" className="sight" style={{ transform: `translateY(${sight.top}px)` }}>
          {indexes.map((index) => {
            const row = at(index);
            const key = row && id(row);
            const chosen = key !== undefined && selected?.has(key);
            return (
              <div
                key={index}
                id={`${name}-${index}`}
                role="row"
                aria-rowindex={index + (two ? 1 : 2)}
                aria-selected={onSelect ? Boolean(chosen) : undefined}
                className="row"
                data-walked={index === on || undefined}
                data-current={(current !== undefined && key === current) || undefined}
                style={{ gridTemplateColumns: two ? undefined : template, height }}
                onClick={(event) => onRow(event, () => (setWalked(index), open(row)))}
              >
                {row === undefined ? (
                  <span role="gridcell" className="bone" />
                ) : two ? (
                  <div role="gridcell" className="brief">
                    {brief ? brief(row) : <AutoBrief columns={columns} row={row} />}
                  </div>
                ) : (
                  <>
                    {onSelect && (
                      <span role="gridcell" className="box">
                        <input
                          type="checkbox"
                          tabIndex={-1}
                          aria-label={t('Select row {index}', { index: index + 1 })}
                          checked={Boolean(chosen)}
                          onChange={() => select(row)}
                        />
                      </span>
                    )}
                    {columns.map((each, column) => (
                      <span key={each.key} role="gridcell" className={`cell ${each.look ?? ''}`}>
                        {to && column === firstText(columns) ? (
                          <Link
                            href={to(row)}
                            tabIndex={-1}
                            onClick={(event) => onOpen && (event.preventDefault(), onOpen(row))}
                          >
                            {each.cell(row)}
                          </Link>
                        ) : (
                          each.cell(row)
                        )}
                      </span>
                    ))}
                  </>
                )}
              </div>
            );
          })}
        </div>
      </div>
    </div>
  );
}

/** Leaves out yielding columns until the others fit. */
function fitting<R>(
  columns: readonly Column<R>[],
  width: number,
  around: { readonly box: number; readonly sorted: string | undefined },
): readonly Column<R>[] {
  const fits = (widthOf: (column: Column<R>) => number) =>
    columns.reduce((sum, each) => sum + GAP + widthOf(each), around.box + EDGES) * 16 <= width;
  const yielding = (when: 'early' | 'late') => (each: Column<R>) =>
    each.yields === when && (each.sort === undefined || each.sort !== around.sorted);
  const late = yielding('late');
  const early = columns.findIndex(yielding('early'));
  const word = columns.findLastIndex((each) => late(each) && !each.look?.includes('right'));
  const least = [early, word, columns.findLastIndex(late)].find((index) => index >= 0);
  if (least === undefined || fits((each) => (early >= 0 && each.wants) || leastOf(each))) return columns;
  return fitting(columns.toSpliced(least, 1), width, around);
}

const leastOf = ({ width }: Column<never>): number => Number(/[\d.]+/.exec(width)?.[0] ?? 0);

/** Returns the column that holds the link: the strong one, or the first. */
const firstText = <R,>(columns: readonly Column<R>[]): number =>
  Math.max(
    0,
    columns.findIndex((each) => each.look?.includes('strong')),
  );

/** Ignores clicks on interactive elements and text selections within a row. */
function onRow(event: MouseEvent<HTMLElement>, open: () => void): void {
  const target = event.target as HTMLElement;
  if (target.closest('a, button, input, select, textarea, label, [role=menu]')) return;
  if (getSelection()?.toString()) return;
  open();
}

function Heading<R>({
  column,
  sorting,
  onSort,
}: {
  column: Column<R>;
  sorting?: Sorting | undefined;
  onSort?: ((sorting: Sorting) => void) | undefined;
}) {
  const { sort, title, untitled, look = '', ascending = false } = column;
  const text = untitled ? <span className="hidden">{title}</span> : title;
  if (!sort || !onSort)
    return (
      <span role="columnheader" className={`cell ${look}`}>
        {text}
      </span>
    );
  const holds = sorting?.sort === sort;
  const first = ascending ? 'asc' : 'desc';
  const order = holds ? (sorting.order === 'desc' ? 'asc' : 'desc') : first;
  return (
    <span
      role="columnheader"
      className={`cell ${look}`}
      aria-sort={holds ? (sorting.order === 'asc' ? 'ascending' : 'descending') : 'none'}
    >
      <button type="button" className="sort" data-on={holds || undefined} onClick={() => onSort({ sort, order })}>
        {text}
        {holds && <Icon name={sorting.order === 'asc' ? 'chevron-up' : 'chevron-down'} size={14} />}
      </button>
    </span>
  );
}

function AllBox<R>({
  list,
  id,
  selected,
  onSelect,
}: Pick<TableProps<R>, 'list' | 'id' | 'selected'> & { onSelect: NonNullable<TableProps<R>['onSelect']> }) {
  const all = () => {
    if (selected && selected.size > 0) return onSelect(new Set());
    const known = firstRows(list, 100);
    onSelect(new Set(known.map(id)));
  };
  const size = selected?.size ?? 0;
  const every = size > 0 && size >= Math.min(100, list.total);
  return (
    <span role="columnheader" className="box">
      <input
        type="checkbox"
        aria-label={t('Select first 100 rows')}
        ref={(box) => {
          if (box) box.indeterminate = size > 0 && !every;
        }}
        checked={every}
        onChange={all}
      />
    </span>
  );
}

function AutoBrief<R>({ columns, row }: { columns: readonly Column<R>[]; row: R }) {
  const main = columns[firstText(columns)];
  const rest = columns.filter((each) => each !== main && !each.untitled);
  return (
    <>
      <b>{main?.cell(row)}</b>
      <span className="brief-rest">
        {rest.slice(0, 4).map((each) => (
          <span key={each.key}>{each.cell(row)}</span>
        ))}
      </span>
    </>
  );
}

/** Maximum number of rows searched for the open row. */
const MOST_LOOKED = 2000;

function indexOf<R>({ total, at }: Rows<R>, id: (row: R) => string | number, wanted: string | number | undefined) {
  if (wanted === undefined) return -1;
  for (let index = 0; index < Math.min(total, MOST_LOOKED); index++) {
    const row = at(index);
    if (row && id(row) === wanted) return index;
  }
  return -1;
}

/** A text field with content has focus. */
function isTyping(): boolean {
  const field = document.activeElement;
  return (field instanceof HTMLTextAreaElement || field instanceof HTMLInputElement) && field.value !== '';
}
