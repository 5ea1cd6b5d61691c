// A text field with a list of hits, one of which can be picked. The caller manages the text and the hits.
import { useCombobox } from 'downshift';
import { useEffect, useRef, type ReactNode } from 'react';
import { Field } from './form.tsx';

interface ComboProps<Item> {
  readonly name: string;
  readonly label: string;
  readonly hint?: string | undefined;
  readonly required?: boolean | undefined;
  readonly text: string;
  readonly picked: Item | undefined;
  readonly hits: readonly Item[];
  readonly keyOf: (item: Item) => string | number;
  readonly textOf: (item: Item) => string;
  readonly show: (item: Item) => ReactNode;
  /** Shown for text that matches no item. */
  readonly astray: string;
  /** Whether the text itself is required. */
  readonly textRequired?: boolean | undefined;
  readonly placeholder?: string;
  readonly onText: (text: string) => void;
  readonly onPick: (item: Item | undefined) => void;
  readonly onFocus?: (input: HTMLInputElement) => void;
  readonly onBlur?: () => void;
}

export function Combo<Item>(props: ComboProps<Item>) {
  const { name, label, hint, required, text, picked, hits, keyOf, textOf, show, astray } = props;
  const { textRequired, placeholder, onText, onPick, onFocus, onBlur } = props;
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    // Text that matches nothing would otherwise be submitted as empty.
    input.current?.setCustomValidity(text.trim() !== '' && picked === undefined ? astray : '');
  }, [text, picked, astray]);
  const box = useCombobox<Item>({
    items: [...hits],
    inputValue: text,
    selectedItem: picked ?? null,
    itemToString: (each) => (each === null ? '' : textOf(each)),
    onSelectedItemChange: ({ selectedItem }) => {
      onPick(selectedItem ?? undefined);
      onText(selectedItem ? textOf(selectedItem) : '');
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
                onText((event.target as HTMLInputElement).value);
                if (picked !== undefined) onPick(undefined);
              },
              onFocus: (event) => onFocus?.(event.target),
              onBlur: () => onBlur?.(),
            })}
            aria-labelledby={undefined}
            className="input"
            placeholder={placeholder}
            required={textRequired}
            autoComplete="off"
          />
          <input type="hidden" name={name} value={picked === undefined ? '' : keyOf(picked)} />
          <ul
            {...box.getMenuProps({ 'aria-labelledby': undefined, 'aria-label': label })}
            className="hits"
            hidden={!box.isOpen || hits.length === 0}
          >
            {box.isOpen &&
              hits.map((each, index) => (
                <li
                  key={keyOf(each)}
                  {...box.getItemProps({ item: each, index })}
                  data-on={box.highlightedIndex === index || undefined}
                >
                  {show(each)}
                </li>
              ))}
          </ul>
        </div>
      )}
    </Field>
  );
}
