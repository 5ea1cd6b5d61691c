// Composes SQL fragments with parameters. Values never become part of the text.

/** An SQL fragment with its parameters, made with the `sql` tag. */
export interface Sql {
  readonly text: string;
  readonly params: readonly unknown[];
  /** The text will recur, so prepare it immediately, whatever its length. */
  readonly often?: boolean;
}

/**
 * Builds an SQL fragment: ``sql`t.company_number = ${n} AND ${other}` ``. Values become parameters; nested fragments
 * are inlined.
 * Only literal parts become text, which rules out SQL injection.
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

/** Joins fragments with ` AND ` or another separator. Returns `empty` if there are none. */
export function joined(pieces: readonly Sql[], separator = ' AND ', empty = '1 = 1'): Sql {
  if (pieces.length === 0) return { text: empty, params: [] };
  // Parenthesise, because a fragment may contain an OR.
  const texts = pieces.map(({ text }) => (separator === ' AND ' ? `(${text})` : text));
  return { text: texts.join(separator), params: pieces.flatMap((each) => each.params) };
}

/** Builds `(?, ?, ?)` for IN. An empty list matches nothing. */
export function listed(values: readonly (string | number)[]): Sql {
  if (values.length === 0) return { text: '(NULL)', params: [] };
  return { text: `(${values.map(() => '?').join(', ')})`, params: values };
}

/** Inserts a table, column or index name from the program's own code. @throws Error if it is not a plain identifier */
export function name(identifier: string): Sql {
  if (!/^[a-z][a-z0-9_.]*$/.test(identifier)) throw new Error(`Not a valid SQL identifier: ${identifier}`);
  return { text: identifier, params: [] };
}

/** Quotes a name with backticks, which both databases accept. For constants only. */
export function quoted(identifier: string): string {
  return `\`${identifier}\``;
}

/** Builds a LIKE pattern that matches the text anywhere, literally. Use as `LIKE ${containing(q)} ESCAPE '!'`. */
export function containing(value: string): string {
  return `%${value.replace(/[!%_]/g, (each) => `!${each}`)}%`;
}

function isSql(value: unknown): value is Sql {
  return typeof value === 'object' && value !== null && 'text' in value && 'params' in value;
}
