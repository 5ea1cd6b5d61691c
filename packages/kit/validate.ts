// Validates input with zod schemas, using the platform's own error messages (E-01, E-02). Schemas define phrases
// without a subject ("must be a colour"), and this file prepends the field's name.
import { z } from 'zod';
import { resolveLocalTimes, utc, type Zone } from './moment.ts';
import { invalid } from './problem.ts';

type RawIssue = z.core.$ZodRawIssue;
type Issue = z.core.$ZodIssue;

const NAME = /^[A-Za-z_]\w{0,63}$/;
const PHRASE = /^(?:must|is|has|may) /;

/**
 * Validates `value` and returns the schema's output.
 * @param what the subject of the message if the value as a whole is invalid
 * @param zone the time zone for times without an offset (V-05)
 * @throws invalid() with one sentence per invalid field, in field order; it names fields and bounds but never the value
 */
export function parse<S extends z.ZodType>(
  schema: S,
  value: unknown,
  what = 'Request body',
  zone: Zone = utc,
): z.output<S> {
  const result = schema.safeParse(value, { error: phraseOf, reportInput: true });
  if (result.success) return resolveLocalTimes(result.data, zone);
  throw invalid([...sentences(result.error.issues, what).values()].join('; '));
}

/**
 * Validates `value` without throwing. Returns the output, or a message per invalid field, keyed by field name ('' for
 * the value as a whole). Imports use it so that one invalid row does not stop the others.
 */
export function safeParse<S extends z.ZodType>(
  schema: S,
  value: unknown,
  what: string,
  zone: Zone = utc,
): { readonly value: z.output<S> } | { readonly errors: ReadonlyMap<string, string> } {
  const result = schema.safeParse(value, { error: phraseOf, reportInput: true });
  if (result.success) return { value: resolveLocalTimes(result.data, zone) };
  return { errors: sentences(result.error.issues, what) };
}

/** Returns the parameters of a query schema. Paging adds a transform; callers send the object before it. */
export function queryShape(query: z.ZodType | undefined): z.ZodObject | undefined {
  if (query instanceof z.ZodObject) return query;
  if (query instanceof z.ZodPipe && query.in instanceof z.ZodObject) return query.in;
  return undefined;
}

/** Builds one sentence per field from the phrases of `phraseOf` or of our own schemas. */
function sentences(issues: readonly Issue[], what: string): Map<string, string> {
  const perField = new Map<string, string>();
  for (const { path, message } of issues) {
    const field = nameOf(path);
    if (perField.has(field)) continue;
    const subject = field || (PHRASE.test(message) ? what : '');
    perField.set(field, subject ? `${subject} ${message}` : message);
  }
  return perField;
}

/**
 * Returns a path such as `line_items[0].quantity`. Stops at a name that is not an identifier, because the caller chose
 * it.
 */
export function nameOf(path: readonly PropertyKey[]): string {
  let name = '';
  for (const step of path) {
    if (typeof step === 'number') name += `[${step}]`;
    else if (typeof step === 'string' && NAME.test(step)) name += name ? `.${step}` : step;
    else break;
  }
  return name;
}

function phraseOf(issue: RawIssue): string {
  if (issue.code === 'custom') return 'is invalid';
  if (issue.input === undefined) return 'is required';
  if (issue.input === null) return 'must not be null';
  switch (issue.code) {
    case 'invalid_type':
      return typePhrase(issue.inst instanceof z.ZodNumberFormat ? 'int' : issue.expected);
    case 'invalid_value':
      return `must be one of: ${issue.values.map(String).join(', ')}`;
    case 'too_small':
      return boundPhrase(issue.origin, 'least', issue.minimum, issue.inclusive !== false);
    case 'too_big':
      return boundPhrase(issue.origin, 'most', issue.maximum, issue.inclusive !== false);
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    case 'invalid_format':
      return formatPhrase(issue.format);
    case 'invalid_union':
      return unionPhrase(issue);
    case 'unrecognized_keys':
      return 'has unknown members';
    case 'invalid_key':
      return 'has a member with an invalid name';
    case 'invalid_element':
    default:
      return 'is invalid';
  }
}

function typePhrase(expected: string): string {
  switch (expected) {
    case 'string':
      return 'must be text';
    case 'int':
    case 'safeint':
      return 'must be a whole number';
    case 'number':
      return 'must be a number';
    case 'boolean':
      return 'must be true or false';
    case 'array':
    case 'tuple':
      return 'must be a list';
    case 'object':
    case 'record':
      return 'must be an object';
    case 'null':
      return 'must be null';
    case 'nonoptional':
      return 'is required';
    default:
      return 'is invalid';
  }
}

function boundPhrase(origin: string, end: 'least' | 'most', bound: number | bigint, inclusive: boolean): string {
  if (origin === 'string') return `must be at ${end} ${bound} characters`;
  if (origin === 'array' || origin === 'set') return `must contain at ${end} ${bound} items`;
  if (origin === 'object' || origin === 'record' || origin === 'map') return `must have at ${end} ${bound} members`;
  if (inclusive) return `must be at ${end} ${bound}`;
  return end === 'least' ? `must be more than ${bound}` : `must be less than ${bound}`;
}

function formatPhrase(format: string): string {
  switch (format) {
    case 'email':
      return 'must be an email address';
    case 'url':
      return 'must be an absolute http or https URL';
    case 'datetime':
      return 'must be an ISO 8601 timestamp';
    case 'date':
      return 'must be a date (YYYY-MM-DD)';
    default:
      return 'has an invalid form';
  }
}

/** Returns the branches' common phrase, otherwise everything they accept: "must be text or a number". */
function unionPhrase(issue: z.core.$ZodRawIssue<z.core.$ZodIssueInvalidUnion>): string {
  const phrases = new Set<string>();
  for (const branch of issue.errors) {
    for (const { path, message } of branch) if (path.length === 0) phrases.add(message);
  }
  const all = [...phrases];
  if (all.length === 0) return 'has an invalid form';
  if (all.length > 1 && all.every((each) => each.startsWith('must be '))) {
    return `must be ${all.map((each) => each.slice('must be '.length)).join(' or ')}`;
  }
  return all[0] ?? 'is invalid';
}
