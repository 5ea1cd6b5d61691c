import { Button, toastError, useShown, t } from '@keelson/web';
import { useId, useRef, useState } from 'react';

interface AddLineProps {
  /** Label of the field: `Add a phase`. */
  readonly label: string;
  readonly onAdd: (text: string) => Promise<unknown>;
}

/** Field at the end of a list: Enter adds an item and leaves the field ready for the next. */
export function AddLine({ label, onAdd }: AddLineProps) {
  const id = useId();
  const input = useRef<HTMLInputElement>(null);
  const [text, setText] = useState('');
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState('');
  const shown = useShown();
  const add = async () => {
    const given = text.trim();
    if (busy || given === '') return;
    setBusy(true);
    setError('');
    // At once, so that the next item can be typed meanwhile.
    setText('');
    try {
      await onAdd(given);
    } catch (refusal) {
      setText((next) => next || given);
      if (shown.current) setError((refusal as Error).message);
      else toastError(refusal);
    }
    setBusy(false);
    input.current?.focus();
  };
  return (
    <form
      className="add-line"
      onSubmit={(event) => {
        event.preventDefault();
        void add();
      }}
    >
      <label htmlFor={id} className="hidden">
        {label}
      </label>
      <input
        ref={input}
        id={id}
        className="input"
        value={text}
        placeholder={label}
        maxLength={255}
        aria-invalid={error ? true : undefined}
        aria-describedby={error ? `${id}-error` : undefined}
        onChange={(event) => setText(event.target.value)}
      />
      <Button type="submit" icon="plus" disabled={busy || text.trim() === ''}>
        {t('Add')}
      </Button>
      {error && (
        <p id={`${id}-error`} className="field-error" role="alert">
          {error}
        </p>
      )}
    </form>
  );
}
