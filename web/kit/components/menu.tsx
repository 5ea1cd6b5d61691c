// Menus and dialogs based on native elements, which handle focus, Escape and focus return.
import { useEffect, useId, useRef, type KeyboardEvent, type MouseEvent, type ReactNode } from 'react';
import { keyName, useKeys } from '../shell/keys.tsx';
import { t } from '../shell/words.ts';
import { Icon } from './icon.tsx';
import type { IconName } from './icons.ts';

export interface Choice<V extends string | number> {
  readonly value: V;
  readonly label: ReactNode;
  readonly icon?: IconName;
  readonly keys?: string;
  readonly danger?: boolean;
}

interface MenuProps<V extends string | number> {
  /** Purpose of the menu; screen readers announce it after the button text. */
  readonly label: string;
  readonly choices: readonly Choice<V>[];
  /** The selected value; without it, the menu is a list of actions. */
  readonly value?: V | undefined;
  readonly onChoose: (value: V) => void;
  readonly className?: string;
  readonly keys?: string;
  readonly disabled?: boolean;
  readonly children: ReactNode;
}

/** Button with a popover list of choices. */
export function Menu<V extends string | number>(props: MenuProps<V>) {
  const { label, choices, value, onChoose, className = 'button plain', keys, disabled, children } = props;
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const list = useRef<HTMLDivElement>(null);
  /** Opens synchronously because key presses may follow immediately. */
  const open = () => {
    if (!button.current || !list.current || disabled) return;
    list.current.showPopover();
    placeBelow(list.current, button.current);
    (list.current.querySelector<HTMLElement>('[aria-checked=true]') ?? items(list.current)[0])?.focus();
  };
  useKeys(keys ? [{ keys, title: label, run: open }] : []);
  const onClick = (event: MouseEvent) => {
    event.preventDefault();
    if (list.current?.matches(':popover-open')) list.current.hidePopover();
    else open();
  };
  const choose = (chosen: V) => {
    list.current?.hidePopover();
    button.current?.focus();
    onChoose(chosen);
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        className={className}
        popoverTarget={id}
        onClick={onClick}
        aria-haspopup="menu"
        disabled={disabled}
        aria-keyshortcuts={keys}
      >
        <span className="hidden">{label}: </span>
        {children}
      </button>
      <div ref={list} id={id} popover="auto" role="menu" aria-label={label} className="menu" onKeyDown={walk}>
        {choices.map((each) => (
          <button
            key={each.value}
            type="button"
            role={value === undefined ? 'menuitem' : 'menuitemradio'}
            aria-checked={value === undefined ? undefined : each.value === value}
            data-danger={each.danger || undefined}
            onClick={() => choose(each.value)}
          >
            {each.icon && <Icon name={each.icon} />}
            <span>{each.label}</span>
            {each.keys && <kbd>{keyName(each.keys)}</kbd>}
            {each.value === value && <Icon name="check" />}
          </button>
        ))}
      </div>
    </>
  );
}

const items = (list: HTMLElement) => [...list.querySelectorAll<HTMLElement>('[role^=menuitem]')];

function walk(event: KeyboardEvent<HTMLDivElement>): void {
  const all = items(event.currentTarget);
  const at = all.indexOf(document.activeElement as HTMLElement);
  const go = (index: number) => {
    event.preventDefault();
    all[(index + all.length) % all.length]?.focus();
  };
  if (event.key === 'ArrowDown') return go(at + 1);
  if (event.key === 'ArrowUp') return go(at - 1);
  if (event.key === 'Home') return go(0);
  if (event.key === 'End') return go(-1);
  if (event.key.length !== 1 || event.ctrlKey || event.metaKey) return;
  const next = [...all.slice(at + 1), ...all].find((each) =>
    each.textContent.trim().toLowerCase().startsWith(event.key.toLowerCase()),
  );
  if (next) {
    event.preventDefault();
    next.focus();
  }
}

/** Positions a popover below or above its button, within the window. */
export function placeBelow(list: HTMLElement, button: HTMLElement): void {
  const at = button.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = list;
  const left = Math.max(8, Math.min(at.left, innerWidth - width - 8));
  const below = at.bottom + 4;
  const top = below + height <= innerHeight - 8 ? below : Math.max(8, at.top - height - 4);
  list.style.left = `${left}px`;
  list.style.top = `${top}px`;
}

interface DialogProps {
  readonly title: string;
  readonly open: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
  readonly wide?: boolean;
  /** A change is running: the dialog stays open to show how it ends. */
  readonly busy?: boolean;
}

/** Modal dialog. Its content is mounted only while open. */
export function Dialog({ title, open, onClose, children, wide = false, busy = false }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const element = dialog.current;
    if (!open || !element || element.open) return;
    const before = document.activeElement;
    element.showModal();
    return () => {
      element.close();
      if (before instanceof HTMLElement && before.isConnected) before.focus();
    };
  }, [open]);
  if (!open) return null;
  return (
    <dialog
      ref={dialog}
      className="dialog"
      data-wide={wide || undefined}
      aria-labelledby={id}
      onClose={onClose}
      // Chromium cancels only the first Esc; a second one closes, unless `closedby` forbids it.
      onCancel={(event) => (busy ? event.preventDefault() : onClose())}
      {...(busy && { closedby: 'none' })}
    >
      <header>
        <h2 id={id}>{title}</h2>
        <button type="button" className="icon-button" disabled={busy} onClick={onClose}>
          <Icon name="x" />
          <span className="hidden">{t('Close')}</span>
        </button>
      </header>
      {children}
    </dialog>
  );
}
