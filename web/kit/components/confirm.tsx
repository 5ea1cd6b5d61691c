import { useSyncExternalStore } from 'react';
import { t } from '../shell/words.ts';
import { Dialog } from './menu.tsx';
import { Button } from './parts.tsx';

export interface Question {
  readonly title: string;
  readonly text?: string;
  /** Label of the confirm button. */
  readonly act: string;
  readonly danger?: boolean;
}

type Asked = Question & { readonly answer: (yes: boolean) => void };

let asked: Asked | undefined;
const listeners = new Set<() => void>();
const set = (next: Asked | undefined) => {
  asked = next;
  for (const each of listeners) each();
};

/** Asks for confirmation before an irreversible action. */
export function confirm(question: Question): Promise<boolean> {
  asked?.answer(false);
  return new Promise((resolve) => set({ ...question, answer: resolve }));
}

const subscribe = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

/** Renders confirmation dialogs; mount once per shell. */
export function Confirms() {
  const question = useSyncExternalStore(subscribe, () => asked);
  if (!question) return null;
  const answer = (yes: boolean) => {
    set(undefined);
    question.answer(yes);
  };
  return (
    <Dialog title={question.title} open onClose={() => answer(false)}>
      {question.text && <p>{question.text}</p>}
      <div className="actions">
        <Button onClick={() => answer(false)}>{t('Cancel')}</Button>
        <Button look={question.danger ? 'danger' : 'primary'} onClick={() => answer(true)}>
          {question.act}
        </Button>
      </div>
    </Dialog>
  );
}
