// Rows of a form that come and go: the conditions and the actions of a workflow.
import { Button, IconButton } from '@keelson/web';
import { useRef, useState, type ReactNode } from 'react';

interface StepRowsProps<R> {
  readonly label: string;
  readonly rows: readonly R[];
  /** Rows of an empty form. */
  readonly least: 0 | 1;
  readonly add: string;
  /** The fields of a row, whose names begin with `at`: `actions[0]`. */
  readonly children: (row: R | undefined, at: string) => ReactNode;
  /** What the names of all its fields begin with. */
  readonly name: string;
}

export function StepRows<R>({ label, rows, least, add, children, name }: StepRowsProps<R>) {
  // A row keeps its key, and with it what is typed, when another one goes.
  const [keys, setKeys] = useState(() => [...Array(Math.max(rows.length, least)).keys()]);
  const next = useRef(keys.length);
  return (
    <fieldset className="rows-field">
      <legend>{label}</legend>
      {keys.map((key, index) => (
        <div key={key} className="step-row" role="group" aria-label={`${label}, ${index + 1}`}>
          <div className="step-fields">{children(rows[key], `${name}[${index}]`)}</div>
          <IconButton
            icon="trash"
            label={`Remove ${label.toLowerCase()} ${index + 1}`}
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

/** What is given for each row, in their order. */
export function rowsIn<R>(given: FormData, name: string, marker: string, read: (at: string) => R): R[] {
  const rows: R[] = [];
  for (let i = 0; given.has(`${name}[${i}].${marker}`); i++) rows.push(read(`${name}[${i}]`));
  return rows;
}
