// Divides what the server says about a form among its fields.
import { titleOf } from '../format.ts';
import { t } from '../shell/words.ts';

/**
 * Splits a message such as `subject is required; priority must be between 1 and 5` by the form's fields. Other fields
 * are named as people know them.
 */
export function sentences(message: string, names: readonly string[]): { fields: Map<string, string>; rest: string } {
  const fields = new Map<string, string>();
  const rest: string[] = [];
  for (const each of message.split('; ').filter(Boolean)) {
    const [, path = '', said = ''] = /^([\w.[\]]+) (.+)$/s.exec(each) ?? [];
    const [, list = path, index, member] = /^(\w+)\[(\d+)\](?:\.(\w+))?$/.exec(path) ?? [];
    const entry = index === undefined ? '' : t('Entry {number}', { number: Number(index) + 1 });
    const within = [entry, member && titleOf(member)].filter(Boolean).join(', ');
    const field = [path, memberOf(names, list, Number(index), member)].find((name) => names.includes(name));
    if (field !== undefined) fields.set(field, readable(said.charAt(0).toUpperCase() + said.slice(1)));
    else if (names.includes(list)) fields.set(list, readable(`${within} ${said}`));
    else if (/^[a-z_]+$/.test(list))
      rest.push(readable(`${[titleOf(list), within].filter(Boolean).join(', ')} ${said}`));
    else rest.push(readable(each));
  }
  return { fields, rest: rest.join('; ') };
}

/** Returns the name of a row's field. Rows are named by keys in their order, such as `line_items.4.quantity`. */
function memberOf(names: readonly string[], list: string, index: number, member: string | undefined): string {
  const keys = names.flatMap((each) => (each.startsWith(`${list}.`) ? [each.split('.')[1]] : []));
  return `${list}.${[...new Set(keys)][index]}.${member}`;
}

/** Writes names of fields within a sentence as people know them. */
const readable = (text: string): string =>
  text.replace(/(?<![\w@./-])[a-z]+(?:_[a-z]+)+(?![\w@/-]|\.\w)/g, (name) => t('“{name}”', { name: titleOf(name) }));
