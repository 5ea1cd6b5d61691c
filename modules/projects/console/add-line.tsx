import { Button, Refused, t } from '@keelson/web';
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
  const add = async () => {
    if (busy || text.trim() === '') return;
    setBusy(true);
    setError('');
    try {
      await onAdd(text.trim());
      setText('');
    } catch (refusal) {
      setError(refusal instanceof Refused ? refusal.message : String(refusal));
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
