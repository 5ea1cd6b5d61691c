// Inline editing of a single fact.
import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { IconButton } from '../components/parts.tsx';
import { toastError } from '../components/toast.tsx';
import { t, withinSentence } from '../shell/words.ts';
import { useTurn } from '../shown.ts';
import { Form } from './form.tsx';

interface EditableFactProps {
  readonly name: string;
  /** Input used for editing; without it the fact is read-only. Its label is for screen readers only. */
  readonly field?: ReactNode;
  /** Stores the value. On refusal, the error is shown and the field stays open. */
  readonly onSave: (given: FormData) => Promise<unknown>;
  readonly children?: ReactNode;
}

const CONTROL = 'input:not([type=hidden]), select, textarea';

/** Entry of a fact list; an empty fact is shown only if editable. */
export function EditableFact({ name, field, onSave, children }: EditableFactProps) {
  const { open, toggle, ...form } = useEditing(onSave);
  const empty = children === null || children === undefined || children === '' || children === false;
  if (!field && empty) return null;
  return (
    <>
      <dt>{name}</dt>
      <dd className="editable">
        {field && open ? (
          <EditingForm {...form} onCancel={toggle}>
            {field}
          </EditingForm>
        ) : (
          <>
            <span>{empty ? '–' : children}</span>
            {field && (
              <IconButton
                icon="edit"
                className="quiet"
                label={t('Change {name}', { name: withinSentence(name) })}
                onClick={toggle}
              />
            )}
          </>
        )}
      </dd>
    </>
  );
}

/** State of an inline edit: open, saving, error. */
export function useEditing(onSave: (given: FormData, opened: FormData) => Promise<unknown>) {
  const [open, setOpen] = useState(false);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  const turn = useTurn(open);
  const toggle = () => {
    setError(null);
    setOpen(!open);
  };
  const onSubmit = async (given: FormData, opened: FormData) => {
    turn.begin();
    setBusy(true);
    try {
      await onSave(given, opened);
      if (turn.lasts()) toggle();
    } catch (refusal) {
      if (turn.lasts()) setError(refusal as Error);
      else toastError(refusal);
    }
    setBusy(false);
  };
  return { open, toggle, busy, error, onSubmit: (given: FormData, opened: FormData) => void onSubmit(given, opened) };
}

interface EditingFormProps {
  readonly busy: boolean;
  readonly error: Error | null;
  readonly onSubmit: (given: FormData, opened: FormData) => void;
  readonly onCancel: () => void;
  readonly children: ReactNode;
}

/** Single-field form that takes focus when opened; Escape cancels. */
export function EditingForm({ onCancel, children, ...form }: EditingFormProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.querySelector<HTMLElement>(CONTROL)?.focus(), []);
  /** Handle Escape before the input, which would clear itself; an open result list closes first. */
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || (event.target as Element).ariaExpanded === 'true') return;
    event.preventDefault();
    event.stopPropagation();
    onCancel();
  };
  return (
    <div className="editing" ref={box} onKeyDownCapture={onKeyDown}>
      <Form submit={t('Save')} onCancel={onCancel} {...form}>
        {children}
      </Form>
    </div>
  );
}
