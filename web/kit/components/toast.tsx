// Toasts at the bottom of the page, with an optional action such as Undo.
import { useSyncExternalStore, type ReactNode } from 'react';
import { t } from '../shell/words.ts';
import { Icon } from './icon.tsx';

export interface ToastOptions {
  readonly tone?: 'info' | 'danger';
  readonly act?: { readonly title: string; readonly run: () => void };
  /** Duration in milliseconds. */
  readonly stays?: number;
}

interface Toast extends ToastOptions {
  readonly id: number;
  readonly text: ReactNode;
}

const MOST = 3;
let shown: readonly Toast[] = [];
let last = 0;
const listeners = new Set<() => void>();

const set = (next: readonly Toast[]) => {
  shown = next;
  for (const each of listeners) each();
};

/** Shows a toast for a few seconds. Returns a function that hides it. */
export function toast(text: ReactNode, options: ToastOptions = {}): () => void {
  const id = ++last;
  const hide = () => set(shown.filter((each) => each.id !== id));
  set([...shown.slice(1 - MOST), { ...options, id, text }]);
  setTimeout(hide, options.stays ?? (options.act || options.tone === 'danger' ? 8000 : 4000));
  return hide;
}

/** Shows the server's error message in a toast. */
export const toastError = (error: unknown): (() => void) => toast((error as Error).message, { tone: 'danger' });

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

/** Renders toasts; mount once per shell. */
export function Toasts() {
  const all = useSyncExternalStore(subscribe, () => shown);
  const hide = (id: number) => set(shown.filter((each) => each.id !== id));
  return (
    <div className="toasts" role="status" aria-live="polite">
      {all.map(({ id, text, tone, act }) => (
        <div key={id} className="toast" data-tone={tone}>
          <span>{text}</span>
          {act && (
            <button
              type="button"
              className="toast-act"
              onClick={() => {
                hide(id);
                act.run();
              }}
            >
              {act.title}
            </button>
          )}
          <button type="button" className="toast-close" onClick={() => hide(id)}>
            <Icon name="x" />
            <span className="hidden">{t('Close message')}</span>
          </button>
        </div>
      ))}
    </div>
  );
}
