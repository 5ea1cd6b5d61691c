// Dragging between and within lists. Each drag has a button that does the same by keyboard and touch.
import { useState, type DragEvent, type KeyboardEvent } from 'react';
import { t } from '../shell/words.ts';
import { Icon } from './icon.tsx';

/** Browsers convert drag types to lower case. */
const typeOf = (kind: string) => `application/x-keelson-${kind.toLowerCase().replaceAll(/\W/g, '-')}`;

/** Props of an element that can be dragged. @param kind the kind of element, so that only matching targets accept it */
export function dragged(kind: string, id: string | number) {
  return {
    draggable: true,
    onDragStart(event: DragEvent) {
      event.stopPropagation();
      event.dataTransfer.effectAllowed = 'move';
      event.dataTransfer.setData(typeOf(kind), String(id));
    },
  } as const;
}

/** Props of an element that accepts drags; it has `data-over` during a drag. Without `onDrop` it accepts none. */
export function useDrop(kind: string, onDrop: ((id: string) => void) | undefined) {
  const [over, setOver] = useState(false);
  const accepts = (event: DragEvent) => onDrop && event.dataTransfer.types.includes(typeOf(kind));
  return {
    'data-over': over || undefined,
    onDragOver(event: DragEvent) {
      if (!accepts(event)) return;
      event.preventDefault();
      setOver(true);
    },
    onDragLeave: () => setOver(false),
    onDrop(event: DragEvent) {
      setOver(false);
      if (!accepts(event)) return;
      event.preventDefault();
      event.stopPropagation();
      onDrop?.(event.dataTransfer.getData(typeOf(kind)));
    },
  };
}

interface GripProps {
  /** Accessible name: `Move Cabling`. */
  readonly label: string;
  readonly kind: string;
  readonly id: string | number;
  /** Moves by one place: −1 up, 1 down. */
  readonly onStep: (by: -1 | 1) => void;
}

/** Handle of a list item: drag it, or press the up and down arrow keys on it. */
export function Grip({ label, kind, id, onStep }: GripProps) {
  const onKeyDown = (event: KeyboardEvent) => {
    const by = event.key === 'ArrowUp' ? -1 : event.key === 'ArrowDown' ? 1 : 0;
    if (by === 0) return;
    event.preventDefault();
    onStep(by);
  };
  return (
    <button
      type="button"
      className="icon-button quiet grip"
      title={t('{label}: drag, or press ↑ or ↓', { label })}
      aria-keyshortcuts="ArrowUp ArrowDown"
      {...dragged(kind, id)}
      onKeyDown={onKeyDown}
    >
      <Icon name="grip" />
      <span className="hidden">{label}</span>
    </button>
  );
}
