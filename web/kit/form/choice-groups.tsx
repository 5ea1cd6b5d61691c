// Grouped checkboxes, such as permissions by resource.
import { words } from '../format.ts';
import { FieldError } from './form.tsx';

interface Choice {
  readonly value: string;
  /** Description. */
  readonly about?: string | undefined;
  readonly checked?: boolean;
}

interface ChoiceGroupsProps {
  /** Form field name; it holds the checked values. */
  readonly name: string;
  readonly choices: readonly Choice[];
  /** Returns the group of a choice. */
  readonly groupOf: (value: string) => string | undefined;
}

/** Labels a choice without its group: `Created` for `ticket.created`, `Read` for `tickets:read`. */
const titleIn = (value: string, group: string, name: string): string =>
  words(value.startsWith(group) ? value.slice(group.length).replace(/^[.:]/, '') || value : value, name);

export function ChoiceGroups({ name, choices, groupOf }: ChoiceGroupsProps) {
  const groups = Map.groupBy(choices, ({ value }) => groupOf(value) ?? '');
  return (
    <div className="choice-groups" data-field={name}>
      <FieldError name={name} />
      {[...groups].map(([group, all]) => (
        <fieldset key={group}>
          <legend>{words(group)}</legend>
          {all.map(({ value, about, checked }) => (
            <label key={value}>
              <input type="checkbox" name={name} value={value} defaultChecked={checked} />
              <span>
                {titleIn(value, group, name)} {about && <span className="tone-muted">{about}</span>}
              </span>
            </label>
          ))}
        </fieldset>
      ))}
    </div>
  );
}
