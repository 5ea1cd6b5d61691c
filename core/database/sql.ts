// Pieces of SQL with their parameters, composed without ever putting a value into the text.

/** A piece of SQL with its parameters, made with the `sql` tag. */
export interface Sql {
  readonly text: string;
  readonly params: readonly unknown[];
  /** The same text will come often, so it pays to prepare it at once, however long it is. */
  readonly often?: boolean;
}

/**
 * A piece of SQL: ``sql`t.company_number = ${n} AND ${other}` ``. Values become parameters; other pieces are inserted.
 * Only the literal parts become text, so nothing that a caller sends can become SQL.
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

/** Pieces joined by ` AND `, or by another separator; `empty` when there are none. */
export function joined(pieces: readonly Sql[], separator = ' AND ', empty = '1 = 1'): Sql {
  if (pieces.length === 0) return { text: empty, params: [] };
  // Brackets, because a piece may contain an OR.
  const texts = pieces.map(({ text }) => (separator === ' AND ' ? `(${text})` : text));
  return { text: texts.join(separator), params: pieces.flatMap((each) => each.params) };
}

/** `(?, ?, ?)` for IN; an empty list matches nothing. */
export function listed(values: readonly (string | number)[]): Sql {
  if (values.length === 0) return { text: '(NULL)', params: [] };
  return { text: `(${values.map(() => '?').join(', ')})`, params: values };
}

/** A table, column or index by its name from the program's own text. @throws Error when it is not a plain identifier */
export function name(identifier: string): Sql {
  if (!/^[a-z][a-z0-9_.]*$/.test(identifier)) throw new Error(`Not an SQL name: ${identifier}`);
  return { text: identifier, params: [] };
}

/** A name in backticks, which both databases accept; for constants of the program only. */
export function quoted(identifier: string): string {
  return `\`${identifier}\``;
}

/** A LIKE pattern that finds the text literally anywhere; use it as `LIKE ${containing(q)} ESCAPE '!'`. */
export function containing(value: string): string {
  return `%${value.replace(/[!%_]/g, (each) => `!${each}`)}%`;
}

function isSql(value: unknown): value is Sql {
  return typeof value === 'object' && value !== null && 'text' in value && 'params' in value;
}
