// Pieces of SQL with their parameters, put together without ever pasting a value into text.

/** A piece of SQL with its parameters, made with the `sql` tag. */
export interface Sql {
  readonly text: string;
  readonly params: readonly unknown[];
}

/**
 * A piece of SQL: ``sql`t.company_number = ${n} AND ${other}` ``. Values become parameters; pieces are joined in.
 * The literal parts are the program's own text, so nothing a caller sends can become SQL.
 */
export function sql(parts: TemplateStringsArray, ...values: readonly unknown[]): Sql {
  let text = parts[0] ?? '';
  const params: unknown[] = [];
  values.forEach((value, i) => {
    if (isSql(value)) {
      text += value.text;
      params.push(...value.params);
    } else {
      text += '?';
      params.push(value);
    }
    text += parts[i + 1] ?? '';
  });
  return { text, params };
}

/** Pieces with ` AND ` (or another joint) between them; no piece gives `empty`. */
export function joined(pieces: readonly Sql[], joint = ' AND ', empty = '1 = 1'): Sql {
  if (pieces.length === 0) return { text: empty, params: [] };
  // A piece with an OR in it must not reach beyond itself.
  const texts = pieces.map(({ text }) => (joint === ' AND ' ? `(${text})` : text));
  return { text: texts.join(joint), params: pieces.flatMap((each) => each.params) };
}

/** `(?, ?, ?)`; an empty list matches nothing. */
export function listed(values: readonly (string | number)[]): Sql {
  if (values.length === 0) return { text: '(NULL)', params: [] };
  return { text: `(${values.map(() => '?').join(', ')})`, params: values };
}

/** A name that stands in the program's text (a table, a column, an index): never anything a caller sent. */
export function name(identifier: string): Sql {
  if (!/^[a-z][a-z0-9_.]*$/.test(identifier)) throw new Error(`Not an SQL name: ${identifier}`);
  return { text: identifier, params: [] };
}

/** A name in backticks, which both databases take; only constants of the program come here. */
export function quoted(identifier: string): string {
  return `\`${identifier}\``;
}

/** A value for LIKE that finds the text literally anywhere; write `LIKE ${containing(q)} ESCAPE '!'`. */
export function containing(value: string): string {
  return `%${value.replace(/[!%_]/g, (each) => `!${each}`)}%`;
}

function isSql(value: unknown): value is Sql {
  return typeof value === 'object' && value !== null && 'text' in value && 'params' in value;
}
