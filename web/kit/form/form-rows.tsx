// Repeatable form rows, such as invoice lines or workflow steps.
import { useRef, useState, type ReactNode } from 'react';
import { Button, IconButton } from '../components/parts.tsx';
import { t } from '../shell/words.ts';

interface FormRowsProps<R> {
  readonly label: string;
  readonly rows: readonly R[];
  /** Minimum number of rows shown initially. */
  readonly least: 0 | 1;
  /** Noun for a row: `row`, `condition`. */
  readonly one: string;
  /** Label of the add button. */
  readonly add: string;
  readonly className: string;
  /** Fields of a row. `key` is stable when other rows are removed; `index` is the position shown. */
  readonly children: (row: R | undefined, at: { readonly key: number; readonly index: number }) => ReactNode;
}

export function FormRows<R>({ label, rows, least, one, add, className, children }: FormRowsProps<R>) {
  // Stable keys preserve typed input when another row is removed.
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
            label={t('Remove {one} {index}', { one, index: index + 1 })}
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
