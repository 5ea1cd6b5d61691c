// Schemas for the fields of JSON bodies. Types are strict: "3" is not a number, 3.0 is the integer 3 (V-09). Fields are
// required unless made optional; `optional…` and `clearable` define what blank and null mean.
import { z } from 'zod';
import { shareResults } from './memoize.ts';
import { LocalTime, readDay, readMoment, asTimestamp, zoneOf, type Zone } from './moment.ts';
import { LARGEST_AMOUNT, toMinor } from './money.ts';
import { EMAIL, IP, MAC, optionalTextField, secret, textField, WEB_URL } from './text-field.ts';

const COLOUR = /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/;

/** Body field schemas. Each rejects invalid values with a sentence that names the field. */
export const input = Object.freeze({
  /**
   * Trimmed single-line text of 1 to `max` characters (V-11, V-17). `compared` is for text whose normalised form is
   * stored too. That form must also fit: `ﷺ` is one character that normalises to 18.
   */
  text: (max: number, { compared = false }: { compared?: boolean } = {}) => sharedText({ max, compared }),
  /** Optional text. Blank and null are stored as '' (V-10, V-11). */
  optionalText: (max: number) => sharedOptionalText({ max }),
  /** Multi-line text of up to `max` characters (default 65,535): a description, comment or article (V-17). */
  longText: (max = LONG) => sharedText({ max, multiline: true }),
  /** Optional multi-line text. Blank and null are stored as ''. */
  optionalLongText: () => sharedOptionalText({ max: LONG, multiline: true }),
  /** A password or secret: text exactly as typed, without trimming. */
  secret: (max = 1024) => secret(max),
  /** A phone number: optional free text of at most 32 characters (V-19). */
  phone: () => sharedOptionalText({ max: 32 }),
  /** An email address: one @, a dot in the domain, no spaces. Stored as given (V-18). */
  email: shareResults(() => textField(EMAIL)),
  /** An optional email address. Blank and null are stored as ''. */
  optionalEmail: shareResults(() => optionalTextField(EMAIL)),
  /** An absolute http or https URL of at most 2048 characters (V-23). */
  url: shareResults(() => textField(WEB_URL)),
  /** An optional URL. Blank and null are stored as ''. */
  optionalUrl: shareResults(() => optionalTextField(WEB_URL)),
  /** An IPv4 or IPv6 address, stored in canonical form (V-23). */
  ip: shareResults(() => textField(IP)),
  /** An optional IP address. Blank and null are stored as ''. */
  optionalIp: shareResults(() => optionalTextField(IP)),
  /** An optional MAC address, stored as `aa:bb:cc:dd:ee:ff` (V-23). Blank and null are stored as ''. */
  optionalMac: shareResults(() => optionalTextField(MAC)),
  /** A colour: `#RGB` or `#RRGGBB`, stored as `#rrggbb` (V-23, ST-07). */
  colour: () =>
    z
      .string()
      .overwrite((text) => sixDigits(text.trim().toLowerCase()))
      .refine((text) => COLOUR.test(text), 'must be a colour (#RRGGBB or #RGB)'),
  /** An integer from `min` to `max`, inclusive. */
  int: (min: number, max: number) => sharedInt(min, max),
  /**
   * An amount of money with at most `decimals` decimals (default 2), converted to minor units: 19.99 becomes 19990
   * (V-08). `min` is in major units.
   */
  money: (options: { min?: number; decimals?: 2 | 3 } = {}) => money(options),
  /** A record's id: a positive integer (V-01). */
  id: shareResults(() => id()),
  /** A list of 1 to `max` ids, without duplicates (V-24, X-04). */
  ids: ({ max = 500 }: { max?: number } = {}) => ids(max),
  /** true or false. */
  flag: shareResults(() => z.boolean()),
  /** One of the values, in any case. The output has the documented spelling (P-21). */
  choice: <const V extends readonly [string, ...string[]]>(values: V) => choice(values),
  /** `YYYY-MM-DD`. For a timestamp only the date is used (V-06). */
  day: shareResults(() => day()),
  /**
   * An ISO 8601 timestamp, converted to `2026-11-21T09:30:00.000Z`. Without an offset it is in the tenant's time zone,
   * or in `timezone` if given. A bare date means midnight (V-05).
   * Only for top-level members of the body; nested ones must pass `timezone`.
   */
  timestamp: (timezone?: string) => timestamp(timezone),
  /** Makes a field optional. Null means absent (V-10). */
  optional: <S extends z.ZodType>(schema: S) => optional(schema),
  /** Makes a field optional. Null and blank set it to null (V-10). */
  clearable: <S extends z.ZodType>(schema: S) => clearable(schema),
  /** The body of a PUT: at least one of the fields (V-14, V-15). Fields must not have defaults. */
  changes: <F extends z.ZodRawShape>(fields: F) => changes(fields),
});

const LONG = 65_535;
const sharedText = shareResults(textField);
const sharedOptionalText = shareResults(optionalTextField);
const sharedInt = shareResults(int);
/**
 * The message for an invalid amount, in bodies and query parameters.
 * @example invalid(`price ${MONEY_PHRASE}`);
 */
export const MONEY_PHRASE = moneyPhrase(2);
/** JSON schema for text that is a date or a timestamp. */
export const DAY_OR_MOMENT = {
  anyOf: [
    { type: 'string', format: 'date' },
    { type: 'string', format: 'date-time' },
  ],
};

function int(min: number, max: number) {
  const range = `must be between ${min} and ${max}`;
  // zod reports numbers beyond 2^53 as a separate issue; treat them as out of range.
  const error = (issue: z.core.$ZodRawIssue) =>
    issue.code === 'too_big' || issue.code === 'too_small' ? range : undefined;
  return z.int({ error }).min(min, range).max(max, range);
}

function money({ min = -Infinity, decimals = 2 }: { min?: number; decimals?: 2 | 3 }) {
  return z
    .number()
    .refine((amount) => amount >= min, `must be at least ${min}`)
    .refine((amount) => Math.abs(amount) < LARGEST_AMOUNT, { error: TOO_LARGE_AMOUNT, abort: true })
    .refine((amount) => toMinor(amount, decimals) !== undefined, moneyPhrase(decimals))
    .transform((amount) => toMinor(amount, decimals) ?? 0);
}

const TOO_LARGE_AMOUNT = 'must be less than 1,000,000,000,000';

function moneyPhrase(decimals: number): string {
  return `must be an amount with at most ${decimals} decimals`;
}

function id() {
  const error = (issue: z.core.$ZodRawIssue) =>
    issue.code === 'too_big' || issue.code === 'too_small' ? 'must be a valid id' : undefined;
  return z.int({ error }).min(1, 'must be a positive whole number');
}

function ids(max: number) {
  const range = `must contain between 1 and ${max} ids`;
  return z
    .array(id())
    .overwrite((list) => [...new Set(list)])
    .min(1, range)
    .max(max, range);
}

function choice<const V extends readonly [string, ...string[]]>(values: V) {
  const spelling = new Map(values.map((each) => [each.toLowerCase(), each]));
  const canonical = (value: unknown) =>
    typeof value === 'string' ? (spelling.get(value.trim().toLowerCase()) ?? value) : value;
  return z.preprocess(canonical, z.enum(values));
}

function day() {
  return z
    .string()
    .overwrite((text) => (readMoment(text.trim()) ? text.trim().slice(0, 10) : text.trim()))
    .refine((text) => readDay(text) !== undefined, 'must be a date (YYYY-MM-DD)')
    .meta({ format: 'date' });
}

function timestamp(timezone: string | undefined) {
  const named = timezone === undefined ? undefined : zoneOf(timezone);
  const read = (text: string, zone?: Zone) => readMoment(readDay(text) ? `${text}T00:00` : text, zone);
  const schema = z
    .string()
    .trim()
    .refine((text) => read(text) !== undefined, 'must be an ISO 8601 timestamp')
    .meta(DAY_OR_MOMENT);
  // Schemas are built before the configuration is loaded, so `parse` supplies the tenant's time zone.
  const local = (text: string) => new LocalTime((zone) => read(text, named ?? zone) ?? read(text) ?? '');
  return schema.transform((text) => asTimestamp(local(text)));
}

function clearable<S extends z.ZodType>(schema: S) {
  const blankToNull = (value: unknown) => (typeof value === 'string' && value.trim() === '' ? null : value);
  return z.preprocess(blankToNull, schema.nullable().optional()).optional();
}

function optional<S extends z.ZodType>(schema: S) {
  return z.preprocess((value) => (value === null ? undefined : value), schema.optional()).optional();
}

function changes<F extends z.ZodRawShape>(fields: F) {
  return z
    .object(fields)
    .partial()
    .refine((given) => Object.values(given).some((value) => value !== undefined), 'No fields to update');
}

function sixDigits(text: string): string {
  if (!COLOUR.test(text) || text.length === 7) return text;
  return `#${text.slice(1).replace(/./g, '$&$&')}`;
}
