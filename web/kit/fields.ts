// Field metadata of operations, generated at build time from the OpenAPI documents.

export interface FieldInfo {
  readonly title?: string;
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object' | 'unknown';
  readonly enum?: readonly (string | number)[];
  /** What its numbers mean: `{ 1: 'Critical' }`. */
  readonly labels?: Readonly<Record<string, string>>;
  /** The type of the record that it refers to, if its name does not tell. */
  readonly record?: string;
  /** The dropdown list with its values: `asset_types`. */
  readonly dropdown?: string;
  readonly format?: string;
  readonly maxLength?: number;
  readonly nullable?: boolean;
  readonly description?: string;
  /** For a list of rows: the fields of a row, and the required ones. */
  readonly fields?: Fields;
  readonly required?: readonly string[];
}

export type Fields = Readonly<Record<string, FieldInfo>>;

/** Body schema of an operation: `import schema from 'schema:POST /companies.php'`. */
export interface BodySchema {
  readonly fields: Fields;
  readonly required: readonly string[];
}

/** Converts form values to their field types. Empty fields are omitted, or null with `clear`. */
export function valuesOf(
  given: FormData,
  { fields }: BodySchema,
  names: readonly string[],
  clear = false,
): Record<string, unknown> {
  const values: [string, unknown][] = [];
  for (const name of names) {
    const field = fields[name];
    if (!field) continue;
    const value = field.fields
      ? rowsOf(name, field.fields, given)
      : field.type === 'array' && field.dropdown
        ? rawLines(given, name)
        : valueOf(field, given.get(name));
    if (value !== undefined) values.push([name, value]);
    else if (clear && field.nullable) values.push([name, null]);
    else if (clear && field.type === 'array') values.push([name, []]);
    else if (clear && field.type === 'string' && !field.enum) values.push([name, '']);
  }
  return Object.fromEntries(values);
}

/**
 * Returns the values that were edited since the form was opened; emptied fields are null. The rest is left out, because
 * somebody else may have changed it meanwhile. The result is empty if nothing was edited, or has all required values.
 */
export function editsOf(
  given: FormData,
  opened: FormData,
  schema: BodySchema,
  names: readonly string[],
): Record<string, unknown> {
  const now = valuesOf(given, schema, names, true);
  const before = valuesOf(opened, schema, names, true);
  const edited = names.filter((name) => JSON.stringify(now[name]) !== JSON.stringify(before[name]));
  const sent = edited.length > 0 ? [...schema.required, ...edited] : [];
  return Object.fromEntries(Object.entries(now).filter(([name]) => sent.includes(name)));
}

/**
 * Returns the members of a body that differ from those of the body with which the form was opened. The rest is left out,
 * because somebody else may have changed it meanwhile.
 */
export function changedIn<B extends object>(now: B, opened: object): Partial<B> {
  const before = new Map<string, unknown>(Object.entries(opened));
  const changed = Object.entries(now).filter(
    ([name, value]) => JSON.stringify(value) !== JSON.stringify(before.get(name)),
  );
  return Object.fromEntries(changed) as Partial<B>;
}

/** Returns the non-empty lines of a field, or of all fields of that name. */
export function rawLines(given: FormData, name: string): string[] {
  return given
    .getAll(name)
    .flatMap((value) => (typeof value === 'string' ? value.split('\n') : []))
    .map((each) => each.trim())
    .filter(Boolean);
}

/** Collects rows named `line_items.0.description`; the number only distinguishes rows. */
function rowsOf(name: string, fields: Fields, given: FormData): Record<string, unknown>[] {
  const own = [...given.keys()].flatMap((each) => (each.startsWith(`${name}.`) ? (each.split('.')[1] ?? []) : []));
  return [...new Set(own)].map((row) => {
    const values = Object.entries(fields).map(([member, field]) => {
      const value = given.get(`${name}.${row}.${member}`);
      return [member, field.type === 'boolean' && !value ? undefined : valueOf(field, value)] as const;
    });
    return Object.fromEntries(values.filter(([, value]) => value !== undefined));
  });
}

function valueOf(field: FieldInfo, given: FormDataEntryValue | null): unknown {
  if (field.type === 'boolean') return given === 'true';
  const text = typeof given === 'string' ? given.trim() : '';
  if (text === '') return undefined;
  if (field.type === 'integer' || field.type === 'number') return Number(text);
  if (field.type === 'array') return text.split(/\s*[,\n]\s*/).filter(Boolean);
  if (field.type === 'string' && field.format === 'date-time') return new Date(text).toISOString();
  return text;
}
