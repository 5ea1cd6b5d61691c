// Schemas of the fields of JSON bodies. Types are strict: "3" is not a number, 3.0 is the whole number 3 (V-09). Every
// field is required unless it is made optional; `optional…` and `clearable` define what blank and null mean.
import { z } from 'zod';
import { LocalTime, readDay, readMoment, asTimestamp, zoneOf, type Zone } from './moment.ts';
import { toMinor } from './money.ts';
import { EMAIL, IP, MAC, optionalTextField, secret, textField, WEB_URL } from './text-field.ts';

const COLOUR = /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/;

/** The fields of bodies: each refuses what does not fit with a sentence that names the field. */
export const input = Object.freeze({
  /**
   * Trimmed text of 1 to `max` characters on one line (V-11, V-17). `compared` is for texts whose normalised form is
   * stored too: that form must also fit, and `ﷺ` is one character that becomes 18.
   */
  text: (max: number, { compared = false }: { compared?: boolean } = {}) => textField({ max, compared }),
  /** Text that may be absent; blank and null are stored as '' (V-10, V-11). */
  optionalText: (max: number) => optionalTextField({ max }),
  /** A description, comment or article, which may have line breaks: up to 65,535 characters (V-17), or `max`. */
  longText: (max = LONG) => textField({ max, multiline: true }),
  /** Long text that may be absent; blank and null are stored as ''. */
  optionalLongText: () => optionalTextField({ max: LONG, multiline: true }),
  /** A password or secret: text exactly as it was typed, without trimming. */
  secret: (max = 1024) => secret(max),
  /** A phone number: free text of at most 32 characters that may always be absent (V-19). */
  phone: () => optionalTextField({ max: 32 }),
  /** An e-mail address: one @, a dot in the domain, no spaces; stored as given (V-18). */
  email: () => textField(EMAIL),
  /** An e-mail address that may be absent; blank and null are stored as ''. */
  optionalEmail: () => optionalTextField(EMAIL),
  /** An absolute http or https URL of at most 2048 characters (V-23). */
  url: () => textField(WEB_URL),
  /** A URL that may be absent; blank and null are stored as ''. */
  optionalUrl: () => optionalTextField(WEB_URL),
  /** An IPv4 or IPv6 address, in its usual spelling (V-23). */
  ip: () => textField(IP),
  /** An address that may be absent; blank and null are stored as ''. */
  optionalIp: () => optionalTextField(IP),
  /** A MAC address that may be absent, stored as `aa:bb:cc:dd:ee:ff` (V-23); blank and null are stored as ''. */
  optionalMac: () => optionalTextField(MAC),
  /** A colour: `#RGB` or `#RRGGBB`, stored as `#rrggbb` (V-23, ST-07). */
  colour: () =>
    z
      .string()
      .overwrite((text) => sixDigits(text.trim().toLowerCase()))
      .refine((text) => COLOUR.test(text), 'must be a colour (#RRGGBB or #RGB)'),
  /** A whole number from `min` to `max`, both inclusive. */
  int: (min: number, max: number) => int(min, max),
  /**
   * An amount of money with at most two decimals, or as many as `decimals` says (V-08); in minor units: 19.99 becomes 19990.
   * `min` is in major units.
   */
  money: (options: { min?: number; decimals?: 2 | 3 } = {}) => money(options),
  /** A record's id: a positive whole number (V-01). */
  id: () => id(),
  /** A list of 1 to `max` ids; repeated ones count once (V-24, X-04). */
  ids: ({ max = 500 }: { max?: number } = {}) => ids(max),
  /** true or false. */
  flag: () => z.boolean(),
  /** One of the values in any case; the output has the documented spelling (P-21). */
  choice: <const V extends readonly [string, ...string[]]>(values: V) => choice(values),
  /** `YYYY-MM-DD`; of a timestamp only the date counts (V-06). */
  day: () => day(),
  /**
   * A moment in ISO 8601, converted to `2026-11-21T09:30:00.000Z`. Without an offset it is in the tenant's time zone,
   * unless `timezone` names another; a bare date is its midnight (V-05). Only for direct members of the body; nested ones
   * must name the zone.
   */
  timestamp: (timezone?: string) => timestamp(timezone),
  /** A field that may be absent; null means the same (V-10). */
  optional: <S extends z.ZodType>(schema: S) => optional(schema),
  /** A field that may be absent; null and blank set it to null (V-10). */
  clearable: <S extends z.ZodType>(schema: S) => clearable(schema),
  /** The body of a PUT: at least one of the fields (V-14, V-15). The fields must have no defaults. */
  changes: <F extends z.ZodRawShape>(fields: F) => changes(fields),
});

const LONG = 65_535;
/** The phrase for a wrong amount, in bodies and query parameters. */
export const MONEY_PHRASE = moneyPhrase(2);
/** The JSON schema of text that is a day or a moment. */
export const DAY_OR_MOMENT = {
  anyOf: [
    { type: 'string', format: 'date' },
    { type: 'string', format: 'date-time' },
  ],
};

function int(min: number, max: number) {
  const range = `must be between ${min} and ${max}`;
  // zod has an issue of its own for numbers beyond 2^53; they are out of range like others.
  const error = (issue: z.core.$ZodRawIssue) =>
    issue.code === 'too_big' || issue.code === 'too_small' ? range : undefined;
  return z.int({ error }).min(min, range).max(max, range);
}

function money({ min = -Infinity, decimals = 2 }: { min?: number; decimals?: 2 | 3 }) {
  return z
    .number()
    .refine((amount) => amount >= min, `must be at least ${min}`)
    .refine((amount) => toMinor(amount, decimals) !== undefined, moneyPhrase(decimals))
    .transform((amount) => toMinor(amount, decimals) ?? 0);
}

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
  // Schemas are made before the configuration is known, so `parse` puts the tenant's zone in.
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
