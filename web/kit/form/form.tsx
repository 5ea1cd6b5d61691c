// Forms with native controls. Server errors are shown at their fields, and input is kept on refusal.
import { createContext, use, useEffect, useId, useMemo, useRef, useState, type FormEvent, type ReactNode } from 'react';
import { Button, Note } from '../components/parts.tsx';
import { words } from '../format.ts';
import { t } from '../shell/words.ts';
import { sentences } from './errors.ts';

const Errors = createContext<ReadonlyMap<string, string>>(new Map());

interface FormProps {
  readonly children: ReactNode;
  /** Takes what the form contains now, and what it contained when it was opened or last saved. */
  readonly onSubmit: (given: FormData, opened: FormData) => void;
  /** Error of the last submission. */
  readonly error?: Error | null;
  readonly busy?: boolean;
  readonly submit: string;
  readonly onCancel?: (() => void) | undefined;
}

export function Form({ children, onSubmit, error, busy = false, submit, onCancel }: FormProps) {
  /** The fields that can show an error, when the form was sent. */
  const [names, setNames] = useState<readonly string[]>([]);
  const { fields, rest } = useMemo(() => sentences(error?.message ?? '', names), [error, names]);
  const form = useRef<HTMLFormElement>(null);
  const opened = useRef(new FormData());
  useEffect(() => {
    if (form.current) opened.current = new FormData(form.current);
  }, []);
  const sent = useRef<FormData>(undefined);
  useEffect(() => {
    if (busy || !sent.current) return;
    if (!error) opened.current = sent.current;
    sent.current = undefined;
  }, [busy, error]);
  const sending = useRef(false);
  const send = (event: FormEvent<HTMLFormElement>) => {
    event.preventDefault();
    if (busy || sending.current) return;
    const { currentTarget } = event;
    setNames(
      Array.from(currentTarget.querySelectorAll<HTMLElement>('[data-field]'), (each) => each.dataset['field'] ?? ''),
    );
    sent.current = new FormData(currentTarget);
    onSubmit(sent.current, opened.current);
    // On a busy page, the second click of a double-click may be handled before `busy` is set.
    sending.current = true;
    setTimeout(() => (sending.current = false));
  };
  return (
    <form className="form" ref={form} onSubmit={send}>
      <Errors value={fields}>{children}</Errors>
      {rest && <Note tone="danger">{rest}</Note>}
      <div className="actions">
        {onCancel && <Button onClick={onCancel}>{t('Cancel')}</Button>}
        {/* Not `disabled`, which would take the focus from it, and Esc would leave the page instead of the form. */}
        <Button look="primary" type="submit" aria-disabled={busy || undefined}>
          {submit}
        </Button>
      </div>
    </form>
  );
}

/** Props that connect a control to its field. */
export interface Control {
  readonly id: string;
  readonly name: string;
  readonly required: boolean | undefined;
  readonly 'aria-invalid': boolean | undefined;
  readonly 'aria-describedby': string | undefined;
}

interface FieldProps {
  readonly name: string;
  readonly label: string;
  readonly hint?: ReactNode;
  readonly required?: boolean;
  readonly children: (control: Control) => ReactNode;
}

/** Label, control, hint and error of a field. */
export function Field({ name, label, hint, required, children }: FieldProps) {
  const id = useId();
  const error = use(Errors).get(name);
  const described = [error && `${id}-error`, hint && `${id}-hint`].filter(Boolean).join(' ') || undefined;
  return (
    <div className="field" data-field={name} data-wrong={error ? '' : undefined}>
      <label htmlFor={id}>
        {label}
        {!required && <span className="optional"> {t('optional')}</span>}
      </label>
      {children({ id, name, required, 'aria-invalid': error ? true : undefined, 'aria-describedby': described })}
      <FieldError name={name} id={`${id}-error`} />
      {hint && (
        <p id={`${id}-hint`} className="field-hint">
          {hint}
        </p>
      )}
    </div>
  );
}

/** Shows the error of a field. Another element must have the name as `data-field`. */
export function FieldError({ name, id }: { name: string; id?: string }) {
  const error = use(Errors).get(name);
  if (error === undefined) return null;
  return (
    <p id={id} className="field-error">
      {error}
    </p>
  );
}

interface TextProps extends Omit<FieldProps, 'children'> {
  readonly type?: 'text' | 'email' | 'tel' | 'url' | 'number' | 'date' | 'password' | 'time' | 'datetime-local';
  readonly value?: string | number | null | undefined;
  readonly lines?: number;
  readonly max?: number | undefined;
  readonly placeholder?: string;
  readonly autoFocus?: boolean;
  readonly autoComplete?: string;
  readonly step?: string;
}

/** Single-line or multi-line text field. */
export function TextField({
  type = 'text',
  value,
  lines,
  max,
  placeholder,
  autoFocus,
  autoComplete = 'off',
  step,
  ...field
}: TextProps) {
  return (
    <Field {...field}>
      {(control) =>
        lines ? (
          <textarea
            {...control}
            className="input"
            rows={lines}
            defaultValue={value ?? ''}
            maxLength={max}
            placeholder={placeholder}
            autoFocus={autoFocus}
          />
        ) : (
          <input
            {...control}
            className="input"
            type={type}
            defaultValue={value ?? ''}
            maxLength={max}
            placeholder={placeholder}
            autoFocus={autoFocus}
            autoComplete={autoComplete}
            step={step}
          />
        )
      }
    </Field>
  );
}

interface Choice {
  readonly value: string | number;
  readonly label: string;
}

interface SelectProps extends Omit<FieldProps, 'children'> {
  readonly value?: string | number | null | undefined;
  /** Undefined while they load. A value that is not among them is kept as a further choice. */
  readonly choices: readonly Choice[] | undefined;
  /** Label of the empty choice. */
  readonly none?: string;
  readonly onChoose?: (value: string) => void;
}

export function SelectField({ value, choices, none, onChoose, ...field }: SelectProps) {
  return (
    <Field {...field}>
      {(control) => (
        <select
          {...control}
          className="input"
          defaultValue={value ?? ''}
          onChange={(event) => onChoose?.(event.target.value)}
        >
          {(none !== undefined || !field.required) && <option value="">{none ?? '–'}</option>}
          <Options choices={withStored(choices, [value])} />
        </select>
      )}
    </Field>
  );
}

interface SelectSeveralProps extends Omit<SelectProps, 'value' | 'none' | 'onChoose'> {
  readonly values: readonly string[];
  readonly onChoose?: (values: string[]) => void;
}

export function SelectSeveralField({ values, choices, onChoose, ...field }: SelectSeveralProps) {
  const offered = withStored(choices, values);
  return (
    <Field {...field}>
      {(control) => (
        <select
          {...control}
          className="input"
          multiple
          size={Math.min(offered.length, 5)}
          defaultValue={values}
          onChange={(event) => onChoose?.(Array.from(event.target.selectedOptions, (each) => each.value))}
        >
          <Options choices={offered} />
        </select>
      )}
    </Field>
  );
}

/** Adds the stored values that are not offered, such as one removed from its list, so that saving keeps them. */
function withStored(choices: readonly Choice[] | undefined, stored: readonly (Choice['value'] | null | undefined)[]) {
  const offered = new Set(choices?.map((each) => `${each.value}`));
  const label = (value: Choice['value']) => {
    if (!choices) return '…';
    return typeof value === 'string' ? words(value) : t('Not listed');
  };
  const further = stored.flatMap((value) =>
    value === null || value === undefined || value === '' || offered.has(`${value}`)
      ? []
      : [{ value, label: label(value) }],
  );
  return [...(choices ?? []), ...further];
}

const Options = ({ choices }: { choices: readonly Choice[] }) =>
  choices.map((each) => (
    <option key={each.value} value={each.value}>
      {each.label}
    </option>
  ));

export function CheckField({
  name,
  label,
  hint,
  checked = false,
}: {
  name: string;
  label: string;
  hint?: string;
  checked?: boolean;
}) {
  const id = useId();
  return (
    <div className="check-field">
      <input id={id} name={name} type="checkbox" defaultChecked={checked} value="true" />
      <label htmlFor={id}>{label}</label>
      {hint && <p className="field-hint">{hint}</p>}
    </div>
  );
}

/** Returns the trimmed texts of form fields: `texts(given, 'vendor', 'product')`. */
export function texts<N extends string>(given: FormData, ...names: readonly N[]): Record<N, string> {
  return Object.fromEntries(names.map((name) => [name, rawText(given, name).trim()])) as Record<N, string>;
}

/** Returns a field's untrimmed text; a password may begin or end with a space. */
export function rawText(given: FormData, name: string): string {
  const value = given.get(name);
  return typeof value === 'string' ? value : '';
}
