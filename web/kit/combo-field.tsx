// Picker for one of many fixed values, found by typing a part of their names.
import { useCombobox } from 'downshift';
import { useEffect, useRef, useState } from 'react';
import { Field } from './form.tsx';

export interface ComboChoice {
  readonly value: string;
  readonly label: string;
  /** Shown after the label and searched too. */
  readonly detail?: string;
}

interface ComboFieldProps {
  readonly name: string;
  readonly label: string;
  readonly hint?: string;
  readonly required?: boolean;
  readonly value?: string | null | undefined;
  readonly choices: readonly ComboChoice[];
}

const plain = (text: string): string => text.normalize('NFKD').replace(/\p{M}/gu, '').toLowerCase();

/** Returns the choices that contain every word. */
function matching(choices: readonly ComboChoice[], text: string): readonly ComboChoice[] {
  const words = plain(text)
    .split(/[\s/]+/)
    .filter(Boolean);
  return choices.filter(({ label, detail = '' }) => {
    const own = plain(`${label} ${detail}`);
    return words.every((word) => own.includes(word));
  });
}

export function ComboField({ name, label, hint, required, value, choices }: ComboFieldProps) {
  const first = choices.find((each) => each.value === value);
  const [picked, setPicked] = useState<ComboChoice | undefined>(first);
  const [text, setText] = useState(first?.label ?? '');
  const hits = text === picked?.label ? choices : matching(choices, text);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // Text that matches no choice would otherwise be submitted as empty.
    input.current?.setCustomValidity(text.trim() !== '' && !picked ? 'Choose from the list' : '');
  }, [text, picked]);
  const box = useCombobox<ComboChoice>({
    items: [...hits],
    inputValue: text,
    selectedItem: picked ?? null,
    itemToString: (each) => each?.label ?? '',
    onSelectedItemChange: ({ selectedItem }) => {
      setPicked(selectedItem ?? undefined);
      setText(selectedItem?.label ?? '');
    },
  });
  return (
    <Field name={name} label={label} {...(required !== undefined && { required })} {...(hint && { hint })}>
      {(control) => (
        <div className="picker">
          <input
            {...box.getInputProps({
              ref: input,
              id: control.id,
              'aria-invalid': control['aria-invalid'],
              'aria-describedby': control['aria-describedby'],
              // Set the text synchronously in the event, or fast typing loses characters.
              onChange: (event) => {
                setText((event.target as HTMLInputElement).value);
                setPicked(undefined);
              },
              onFocus: (event) => event.target.select(),
            })}
            aria-labelledby={undefined}
            className="input"
            required={required}
            autoComplete="off"
          />
          <input type="hidden" name={name} value={picked?.value ?? ''} />
          <ul
            {...box.getMenuProps({ 'aria-labelledby': undefined, 'aria-label': label })}
            className="hits"
            hidden={!box.isOpen || hits.length === 0}
          >
            {box.isOpen &&
              hits.map((each, index) => (
                <li
                  key={each.value}
                  {...box.getItemProps({ item: each, index })}
                  data-on={box.highlightedIndex === index || undefined}
                >
                  {each.label}
                  {each.detail && <small> {each.detail}</small>}
                </li>
              ))}
          </ul>
        </div>
      )}
    </Field>
  );
}
