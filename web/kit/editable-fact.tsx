// A fact that is changed where it stands: a click on the pencil, the field, Save.
import { useEffect, useRef, useState, type KeyboardEvent, type ReactNode } from 'react';
import { Form } from './form.tsx';
import { IconButton } from './parts.tsx';

interface EditableFactProps {
  readonly name: string;
  /** The field in which it is changed; without it the fact cannot be changed. Its label is read out only. */
  readonly field?: ReactNode;
  /** Stores what was given. A refusal is shown at the field, which stays open. */
  readonly onSave: (given: FormData) => Promise<unknown>;
  readonly children?: ReactNode;
}

const CONTROL = 'input:not([type=hidden]), select, textarea';

/** Stands among facts; one without a value is shown where it can be given one. */
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
            <span className="editable-value">{empty ? '–' : children}</span>
            {field && (
              <IconButton icon="edit" className="quiet" label={`Change ${name.toLowerCase()}`} onClick={toggle} />
            )}
          </>
        )}
      </dd>
    </>
  );
}

/** Whether a field is open, and what comes of saving it. */
export function useEditing(onSave: (given: FormData) => Promise<unknown>) {
  const [open, setOpen] = useState(false);
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<Error | null>(null);
  const [names, setNames] = useState<readonly string[]>([]);
  const toggle = () => {
    setError(null);
    setOpen(!open);
  };
  const onSubmit = async (given: FormData) => {
    setBusy(true);
    setNames([...given.keys()]);
    try {
      await onSave(given);
      toggle();
    } catch (refusal) {
      setError(refusal as Error);
    }
    setBusy(false);
  };
  return { open, toggle, busy, error, names, onSubmit: (given: FormData) => void onSubmit(given) };
}

interface EditingFormProps {
  readonly busy: boolean;
  readonly error: Error | null;
  readonly names: readonly string[];
  readonly onSubmit: (given: FormData) => void;
  readonly onCancel: () => void;
  readonly children: ReactNode;
}

/** The form of one field: it has the focus at once, and Escape leaves it as it was. */
export function EditingForm({ onCancel, children, ...form }: EditingFormProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => box.current?.querySelector<HTMLElement>(CONTROL)?.focus(), []);
  /** Before the field takes it, which would be emptied; an open list of hits closes first. */
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape' || (event.target as Element).ariaExpanded === 'true') return;
    event.preventDefault();
    event.stopPropagation();
    onCancel();
  };
  return (
    <div className="editing" ref={box} onKeyDownCapture={onKeyDown}>
      <Form submit="Save" onCancel={onCancel} {...form}>
        {children}
      </Form>
    </div>
  );
}
