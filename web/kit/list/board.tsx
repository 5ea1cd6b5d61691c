// Board of cards in columns. Cards are dragged, moved with Shift and the arrow keys, or with their menu.
import { useEffect, useRef, type KeyboardEvent, type ReactNode } from 'react';
import { dragged, useDrop } from '../components/drag.tsx';
import { Menu } from '../components/menu.tsx';
import { rich } from '../components/rich.tsx';
import { t } from '../shell/words.ts';

export interface BoardColumn<C> {
  readonly id: string;
  readonly title: string;
  readonly cards: readonly C[];
  /** Beside the title: count and sum. */
  readonly sum?: ReactNode;
  /** Below the cards: an error or a link to the rest. */
  readonly foot?: ReactNode;
}

interface BoardProps<C> {
  readonly label: string;
  readonly columns: readonly BoardColumn<C>[];
  readonly id: (card: C) => string | number;
  /** Name of a card for screen readers. */
  readonly name: (card: C) => string;
  /** Contents of a card, beginning with its link. */
  readonly card: (card: C) => ReactNode;
  /** Absent for read-only users. */
  readonly onMove?: ((card: C, column: string) => void) | undefined;
}

const ARROWS: ReadonlyMap<string, readonly [column: number, card: number]> = new Map([
  ['ArrowLeft', [-1, 0]],
  ['ArrowRight', [1, 0]],
  ['ArrowUp', [0, -1]],
  ['ArrowDown', [0, 1]],
]);

export function Board<C>({ label, columns, id, name, card, onMove }: BoardProps<C>) {
  const box = useRef<HTMLDivElement>(null);
  /** Card moved by keyboard, which keeps focus in its new column. */
  const moved = useRef<string>(undefined);
  useEffect(() => {
    if (moved.current === undefined) return;
    const there = box.current?.querySelector<HTMLElement>(`[data-card="${CSS.escape(moved.current)}"] a`);
    if (!there || there === document.activeElement) return;
    moved.current = undefined;
    there.focus();
  });
  const onKeyDown = (event: KeyboardEvent) => {
    const by = ARROWS.get(event.key);
    const at = (event.target as Element).closest<HTMLElement>('[data-card]')?.dataset['card'];
    if (!by || at === undefined || (event.target as Element).closest('[role=menu]')) return;
    const column = columns.findIndex(({ cards }) => cards.some((each) => String(id(each)) === at));
    const found = columns[column]?.cards.find((each) => String(id(each)) === at);
    const next = columns[column + by[0]];
    if (!found || !next) return;
    event.preventDefault();
    if (event.shiftKey && by[0] !== 0) {
      if (!onMove) return;
      moved.current = at;
      return onMove(found, next.id);
    }
    const place = columns[column]?.cards.indexOf(found) ?? 0;
    const beside = by[0] === 0 ? next.cards[place + by[1]] : next.cards[Math.min(place, next.cards.length - 1)];
    if (beside !== undefined)
      box.current?.querySelector<HTMLElement>(`[data-card="${CSS.escape(String(id(beside)))}"] a`)?.focus();
  };
  return (
    <>
      {onMove && (
        <p className="board-hint tone-muted">
          {rich('Drag a card, or press {shift} {left} or {right} on it.', {
            shift: <kbd>{t('Shift')}</kbd>,
            left: <kbd>←</kbd>,
            right: <kbd>→</kbd>,
          })}
        </p>
      )}
      <div className="board" ref={box} tabIndex={0} role="region" aria-label={label} onKeyDown={onKeyDown}>
        {columns.map((column) => (
          <Column
            key={column.id}
            of={column}
            label={label}
            columns={columns}
            id={id}
            name={name}
            card={card}
            onMove={onMove}
          />
        ))}
      </div>
    </>
  );
}

function Column<C>({ of, label, columns, id, name, card, onMove }: BoardProps<C> & { of: BoardColumn<C> }) {
  const others = columns.filter((each) => each.id !== of.id).map((each) => ({ value: each.id, label: each.title }));
  const cardOf = (key: string) =>
    columns.flatMap((each) => each.cards).find((each) => String(id(each)) === key && !of.cards.includes(each));
  const drop = useDrop(
    label,
    onMove &&
      ((key) => {
        const found = cardOf(key);
        if (found !== undefined) onMove(found, of.id);
      }),
  );
  return (
    <section className="board-column" aria-label={of.title} {...drop}>
      <header>
        <h2>{of.title}</h2>
        {of.sum}
      </header>
      <ul>
        {of.cards.map((each) => (
          <li key={id(each)} className="board-card" data-card={id(each)} {...(onMove && dragged(label, id(each)))}>
            {card(each)}
            {onMove && (
              <Menu
                label={t('Move {name}', { name: name(each) })}
                className="button quiet small"
                choices={others}
                onChoose={(column) => onMove(each, column)}
              >
                {t('Move')}
              </Menu>
            )}
          </li>
        ))}
      </ul>
      {of.foot}
    </section>
  );
}
