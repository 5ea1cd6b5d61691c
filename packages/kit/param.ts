// Schemas for query parameters, whose values are always text. Parameters are optional unless `required`, and an empty
// one counts as absent. A repeated parameter arrives as an array and is rejected.
import { z } from 'zod';
import { fits, isClean } from './characters.ts';
import { DAY_OR_MOMENT, MONEY_PHRASE } from './input.ts';
import { shareResults } from './memoize.ts';
import { endOf, LocalTime, readDay, readMoment, asTimestamp, startOf, zoneOf, type Zone } from './moment.ts';
import { toMinor } from './money.ts';
import type { Timestamp } from './time.ts';

type Values = readonly [string, ...string[]];

/** Query parameter schemas. All are optional, except with `param.required(…)`. */
export const param = Object.freeze({
  /** An integer from `min` to `max`, inclusive. */
  int: (min = Number.MIN_SAFE_INTEGER, max = Number.MAX_SAFE_INTEGER) => sharedInt(min, max),
  /** A record's id. */
  id: shareResults(() => id()),
  /** Up to `max` comma-separated ids, for pages that request data about their rows. */
  ids: (max = 100) => sharedIds(max),
  /** A record's id, or one of the given words in any case: `param.idOr('none', 'me')`. */
  idOr: <const V extends Values>(...words: V) => idOr(words),
  /** An amount of money with at most two decimals, converted to minor units (V-08). */
  money: shareResults(() => money()),
  /** true, false, 1 or 0, in any case (P-28). */
  flag: shareResults(() => flag()),
  /** Trimmed text of at most `max` characters. */
  text: (max = 255) => sharedText(max),
  /** Search terms (P-24). Searches are queued; a caller with too many queued searches gets 429. */
  search: shareResults(() => search()),
  /** One of the values, in any case (P-21). With `all`, the word "all" means no filter (P-22). */
  choice: <const V extends Values>(values: V, options: { all?: boolean } = {}) => choice(values, options.all === true),
  /** `YYYY-MM-DD`. For a timestamp only the date is used (V-06). */
  day: shareResults(() => day()),
  /**
   * One end of an inclusive time range. A day means its first millisecond as `from` and its last as `to`, in the
   * tenant's time zone, or in `timezone` if given. A `to` without fractional seconds includes the whole second (P-12,
   * P-13).
   */
  dayOrTime: (end: 'from' | 'to', timezone?: string) => dayOrTime(end, timezone),
  /** The sort column: one of the given names (P-18). */
  sort: <const V extends Values>(values: V, fallback: NoInfer<V[number]>) => defaulted(values, fallback),
  /** The sort direction (P-18). */
  order: (fallback: 'asc' | 'desc' = 'desc') => sharedOrder(fallback),
  /** Makes a parameter required: rejected if absent or empty. */
  required: <S extends z.ZodType>(schema: S) => z.nonoptional(schema),
});

const FLAGS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['1', true],
  ['false', false],
  ['0', false],
]);
const sharedInt = shareResults(int);
const sharedIds = shareResults(ids);
const sharedText = shareResults(text);
const sharedOrder = shareResults((fallback: 'asc' | 'desc') => defaulted(['asc', 'desc'], fallback));
const MOMENT_WANTED = 'must be an ISO 8601 date or timestamp';

function once({ input }: z.core.$ZodRawIssue): string | undefined {
  return Array.isArray(input) ? 'must be given only once' : undefined;
}

/** Converts text with `read`, which returns invalid text unchanged for the schema to reject. */
function optionalParam<S extends z.ZodType>(read: (text: string) => unknown, schema: S) {
  const given = (value: unknown) => {
    if (typeof value !== 'string') return value;
    return value.trim() === '' ? undefined : read(value.trim());
  };
  return z.preprocess(given, schema.optional()).optional();
}

/** Numbers beyond 2^53 stay text and are rejected: a rounded id would match another record. */
function toNumber(text: string): unknown {
  const value = /^-?\d{1,16}$/.test(text) ? Number(text) : text;
  return Number.isSafeInteger(value) ? value : text;
}

function id() {
  return optionalParam(toNumber, z.int({ error: once }).min(1, 'must be a positive whole number'));
}

function flag() {
  return optionalParam((text) => FLAGS.get(text.toLowerCase()) ?? text, z.boolean({ error: once }));
}

function int(min: number, max: number) {
  const below = min > Number.MIN_SAFE_INTEGER;
  const above = max < Number.MAX_SAFE_INTEGER;
  const range =
    below && above ? `must be between ${min} and ${max}` : below ? `must be at least ${min}` : `must be at most ${max}`;
  return optionalParam(toNumber, z.int({ error: once }).min(min, range).max(max, range));
}

function ids(max: number) {
  const read = (text: string) => text.replaceAll(/\s/g, '');
  // Limits digits to what a number holds without rounding.
  const schema = z
    .string({ error: once })
    .regex(/^[1-9]\d{0,14}(?:,[1-9]\d{0,14})*$/, 'must be ids separated by commas')
    .transform((text) => [...new Set(text.split(',').map(Number))])
    .refine(({ length }) => length <= max, `must be at most ${max} ids`);
  return optionalParam(read, schema);
}

function idOr<const V extends Values>(words: V) {
  const canonical = canonically(words);
  const read = (text: string) => {
    const id = toNumber(text);
    return typeof id === 'number' ? id : canonical(text);
  };
  const error = (issue: z.core.$ZodRawIssue) =>
    once(issue) ?? `must be a positive whole number or one of: ${words.join(', ')}`;
  return optionalParam(read, z.union([z.int().min(1, { abort: true }), z.enum(words)], { error }));
}

function money() {
  const read = (text: string) => (/^-?\d{1,16}(?:\.\d{1,16})?$/.test(text) ? Number(text) : text);
  const schema = z.number({ error: once }).refine((amount) => toMinor(amount) !== undefined, MONEY_PHRASE);
  return optionalParam(read, schema).transform((amount) => (amount === undefined ? undefined : toMinor(amount)));
}

function text(max: number) {
  const schema = z
    .string({ error: once })
    .refine((value) => fits(value, max), { error: `must be at most ${max} characters`, abort: true })
    .refine(isClean, 'must not contain NUL or unpaired surrogates')
    .meta({ maxLength: max });
  return optionalParam((value) => value, schema);
}

const searches = z.registry<{ readonly search: true }>();

function search() {
  return text(255).register(searches, { search: true });
}

/** Returns true if the schema was made by `param.search()`, required or not. */
export function isSearch(schema: z.core.$ZodType | undefined): boolean {
  if (!schema) return false;
  return searches.has(schema) || (schema instanceof z.ZodNonOptional && isSearch(schema.def.innerType));
}

function choice<const V extends Values>(values: V, all: boolean) {
  const allowed = all ? [...values, 'all'] : [...values];
  const error = (issue: z.core.$ZodRawIssue) => once(issue) ?? `must be one of: ${allowed.join(', ')}`;
  const canonical = canonically(values);
  const read = (text: string) => (all && text.toLowerCase() === 'all' ? undefined : canonical(text));
  return optionalParam(read, z.enum(values, { error }).meta({ enum: allowed }));
}

function defaulted<const V extends Values>(values: V, fallback: V[number]) {
  // zod omits the default of a preprocessed schema from its JSON schema, so OpenAPI reads it from `meta`.
  const schema = z.enum(values, { error: once }).meta({ default: fallback });
  return optionalParam(canonically(values), schema).default(fallback);
}

function canonically(values: Values): (text: string) => string {
  const spelling = new Map(values.map((each) => [each.toLowerCase(), each]));
  return (text) => spelling.get(text.toLowerCase()) ?? text;
}

function day() {
  const read = (text: string) => readDay(text) ?? (readMoment(withPlus(text)) ? text.slice(0, 10) : text);
  const schema = z.string({ error: once }).refine((text) => readDay(text), 'must be a date (YYYY-MM-DD)');
  return optionalParam(read, schema.meta({ format: 'date' }));
}

function dayOrTime(end: 'from' | 'to', timezone: string | undefined) {
  const named = timezone === undefined ? undefined : zoneOf(timezone);
  const schema = z
    .string({ error: once })
    .refine((text) => readDay(text) ?? readMoment(withPlus(text)), MOMENT_WANTED)
    .meta(DAY_OR_MOMENT);
  // Schemas are built before the configuration is loaded, so `parse` supplies the tenant's time zone.
  const local = (text: string) => new LocalTime((zone) => momentAt(text, end, named ?? zone));
  const optional = optionalParam((text) => text, schema);
  return optional.transform((text) => (text === undefined ? undefined : asTimestamp(local(text))));
}

function momentAt(text: string, end: 'from' | 'to', zone: Zone): Timestamp {
  if (readDay(text)) return end === 'from' ? startOf(text, zone) : endOf(text, zone);
  const at = readMoment(withPlus(text), zone) ?? '';
  return end === 'to' && !/[.,]\d/.test(text) ? at.replace('.000Z', '.999Z') : at;
}

/** Restores the `+` of an offset, which arrives as a space if the caller did not URL-encode it. */
function withPlus(text: string): string {
  return text.replace(/ (\d\d(?::?\d\d)?)$/, (blank, offset: string) => (text.length > 16 ? `+${offset}` : blank));
}
