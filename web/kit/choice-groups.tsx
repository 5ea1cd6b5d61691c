// Checkboxes in groups, such as permissions by the noun they are about.
import { words } from './format.ts';

interface Choice {
  readonly value: string;
  /** What is said about it. */
  readonly about?: string | undefined;
  readonly checked?: boolean;
}

interface ChoiceGroupsProps {
  /** The form has the values of those that are checked under this name. */
  readonly name: string;
  readonly choices: readonly Choice[];
  /** What a choice is about: those that are about the same stand together. */
  readonly groupOf: (value: string) => string | undefined;
}

/** `Created` of `ticket.created`, and `Read` of `tickets:read`, where they stand below what they are about. */
const titleIn = (value: string, group: string): string =>
  words(value.startsWith(group) ? value.slice(group.length).replace(/^[.:]/, '') || value : value);

export function ChoiceGroups({ name, choices, groupOf }: ChoiceGroupsProps) {
  const groups = Map.groupBy(choices, ({ value }) => groupOf(value) ?? '');
  return (
    <div className="choice-groups">
      {[...groups].map(([group, all]) => (
        <fieldset key={group}>
          <legend>{words(group)}</legend>
          {all.map(({ value, about, checked }) => (
            <label key={value}>
              <input type="checkbox" name={name} value={value} defaultChecked={checked} />
              <span>
                {titleIn(value, group)} {about && <span className="tone-muted">{about}</span>}
              </span>
            </label>
          ))}
        </fieldset>
      ))}
    </div>
  );
}
