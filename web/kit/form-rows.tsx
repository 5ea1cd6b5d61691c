// Rows of a form that come and go, such as the lines of an invoice or the steps of a workflow.
import { useRef, useState, type ReactNode } from 'react';
import { Button, IconButton } from './parts.tsx';

interface FormRowsProps<R> {
  readonly label: string;
  readonly rows: readonly R[];
  /** Empty rows to begin with, when there are none. */
  readonly least: 0 | 1;
  /** What a row is called: `row`, `condition`. */
  readonly one: string;
  /** The text of the button that adds one. */
  readonly add: string;
  readonly className: string;
  /** The fields of a row. `key` stays what it was when another row goes, `index` counts those that are shown. */
  readonly children: (row: R | undefined, at: { readonly key: number; readonly index: number }) => ReactNode;
}

export function FormRows<R>({ label, rows, least, one, add, className, children }: FormRowsProps<R>) {
  // A row keeps its key, and with it what is typed, when another one goes.
  const [keys, setKeys] = useState(() => [...Array(Math.max(rows.length, least)).keys()]);
  const next = useRef(keys.length);
  return (
    <fieldset className="form-rows">
      <legend>{label}</legend>
      {keys.map((key, index) => (
        <div key={key} className={className} role="group" aria-label={`${label}, ${index + 1}`}>
          {children(rows[key], { key, index })}
          <IconButton
            icon="trash"
            label={`Remove ${one} ${index + 1}`}
            onClick={() => setKeys(keys.filter((each) => each !== key))}
          />
        </div>
      ))}
      <Button size="small" icon="plus" onClick={() => setKeys([...keys, next.current++])}>
        {add}
      </Button>
    </fieldset>
  );
}
