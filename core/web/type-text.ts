// Generates TypeScript types from JSON schemas, as far as our OpenAPI documents use them.

/** A JSON schema of an OpenAPI 3.1 document. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly const?: unknown;
  readonly enum?: readonly unknown[];
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  readonly allOf?: readonly JsonSchema[];
  readonly items?: JsonSchema;
  readonly prefixItems?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly additionalProperties?: boolean | JsonSchema;
  readonly title?: string;
  readonly description?: string;
  readonly format?: string;
  readonly maxLength?: number;
}

/** Returns the type of a schema. `prefix` is prepended to component names. */
export function typeText(schema: JsonSchema, prefix = ''): string {
  const text = (each: JsonSchema): string => typeText(each, prefix);
  if (schema.$ref !== undefined) return prefix + (schema.$ref.split('/').at(-1) ?? 'unknown');
  if ('const' in schema) return JSON.stringify(schema.const);
  if (schema.enum) return union(schema.enum.map((each) => JSON.stringify(each)));
  if (schema.allOf) return schema.allOf.map((each) => `(${text(each)})`).join(' & ');
  const options = schema.anyOf ?? schema.oneOf;
  if (options) return union(options.map(text));
  const types = typeof schema.type === 'string' ? [schema.type] : (schema.type ?? []);
  return types.length === 0 ? 'unknown' : union(types.map((each) => basic(each, schema, text)));
}

function basic(type: string, schema: JsonSchema, text: (schema: JsonSchema) => string): string {
  switch (type) {
    case 'integer':
    case 'number':
      return 'number';
    case 'array':
      return schema.prefixItems
        ? `readonly [${schema.prefixItems.map(text).join(', ')}]`
        : `readonly (${schema.items ? text(schema.items) : 'unknown'})[]`;
    case 'object':
      return objectText(schema, text);
    default:
      return type;
  }
}

function objectText(schema: JsonSchema, text: (schema: JsonSchema) => string): string {
  const required = new Set(schema.required);
  const members = Object.entries(schema.properties ?? {}).map(
    ([name, each]) => `${memberName(name)}${required.has(name) ? '' : '?'}: ${text(each)}`,
  );
  const more = schema.additionalProperties;
  const open = typeof more === 'object' && Object.keys(more).length > 0 ? text(more) : 'unknown';
  if (members.length === 0) return `{ readonly [name: string]: ${open} }`;
  const named = `{ ${members.join('; ')} }`;
  return typeof more === 'object' ? `${named} & { readonly [name: string]: unknown }` : named;
}

/** Returns a member's name, quoted if it is not an identifier. */
export const memberName = (name: string): string => (/^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name));

const union = (types: readonly string[]): string => [...new Set(types)].join(' | ');
