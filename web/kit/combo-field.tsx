// Picker for one of many fixed values, found by typing a part of their names.
import { useState } from 'react';
import { Combo } from './combo.tsx';

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
  return (
    <Combo
      {...{ name, label, hint, required, text, picked, hits }}
      keyOf={(each) => each.value}
      textOf={(each) => each.label}
      show={(each) => (
        <>
          {each.label}
          {each.detail && <small> {each.detail}</small>}
        </>
      )}
      astray="Choose from the list"
      textRequired={required}
      onText={setText}
      onPick={setPicked}
      onFocus={(input) => input.select()}
    />
  );
}
