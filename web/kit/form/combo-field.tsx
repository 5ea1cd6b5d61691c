// Picker for one of many fixed values, found by typing a part of their names.
import { useState } from 'react';
import { containsWords } from '../format.ts';
import { t } from '../shell/words.ts';
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

/** Returns the choices that contain every word. */
const matching = (choices: readonly ComboChoice[], text: string): readonly ComboChoice[] =>
  choices.filter(({ label, detail = '' }) => containsWords(`${label} ${detail}`, text));

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
      astray={t('Choose from the list')}
      textRequired={required}
      onText={setText}
      onPick={setPicked}
      onFocus={(input) => input.select()}
    />
  );
}
