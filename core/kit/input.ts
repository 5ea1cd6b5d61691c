// The fields of JSON bodies. Types are strict: "3" is no number, 3.0 is the whole number 3 (V-09).
// Every field is required; `.optional()` makes one optional, `optional…` and `clearable` say what blank and null mean.
import { z } from 'zod';
import { fits, isClean } from './characters.ts';
import { LocalTime, readDay, readMoment, asTimestamp, zoneOf, type Zone } from './moment.ts';
import { toMinor } from './money.ts';
import { normalised } from './normal.ts';

const COLOUR = /^#(?:[0-9a-f]{3}|[0-9a-f]{6})$/;
// Anything that is no visible part of an address or a URL: blanks and control characters.
const CONTROL = /\p{Cc}/u;
const UNSEEN = /[\s\p{Cc}]/u;

/** The fields of bodies: each refuses what does not fit with a sentence that names the field. */
export const input = Object.freeze({
  /**
   * Trimmed text of 1 to `max` characters (V-11, V-17). With `compared`, for what is stored by `normalised` too, that
   * form must fit as well: `ﷺ` is one character, and 18 when it is compared.
   */
  text: (max: number, { compared = false }: { compared?: boolean } = {}) => words({ max, compared }),
  /** Text that may be absent; blank and null are stored as '' (V-10, V-11). */
  optionalText: (max: number) => blankable({ max }),
  /** A description, comment or article: up to 65,535 characters (V-17), or `max`. */
  longText: (max = LONG) => words({ max, lines: true }),
  optionalLongText: () => blankable({ max: LONG, lines: true }),
  /** Text exactly as it was typed, blanks at the ends too: passwords and secrets. */
  secret: (max = 1024) => secret(max),
  /** A phone number is free text and may always be missing (V-19). */
  phone: () => blankable({ max: 32 }),
  /** One @, a dot in the domain, no blanks; stored as given (V-18). */
  email: () => words(EMAIL),
  optionalEmail: () => blankable(EMAIL),
  /** An absolute http or https URL (V-23). */
  url: () => words({ max: 2048, format: 'uri', accepts: isWebUrl, otherwise: URL_WANTED }),
  optionalUrl: () => blankable({ max: 2048, format: 'uri', accepts: isWebUrl, otherwise: URL_WANTED }),
  /** `#RGB` or `#RRGGBB`, stored as `#rrggbb` (V-23, ST-07). */
  colour: () =>
    z
      .string()
      .overwrite((text) => sixDigits(text.trim().toLowerCase()))
      .refine((text) => COLOUR.test(text), 'must be a colour (#RRGGBB or #RGB)'),
  /** A whole number within both bounds. */
  int: (min: number, max: number) => int(min, max),
  /** An amount of money with at most two decimals (V-08); gives minor units: 19.99 becomes 1999. */
  money: (options: { min?: number } = {}) => money(options),
  /** A record's id: a positive whole number (V-01). */
  id: () => id(),
  /** 1 to `max` different ids; repeated ones count once (V-24, X-04). */
  ids: ({ max = 500 }: { max?: number } = {}) => ids(max),
  flag: () => z.boolean(),
  /** One of the values in any case; gives the documented spelling (P-21). */
  choice: <const V extends readonly [string, ...string[]]>(values: V) => choice(values),
  /** `YYYY-MM-DD`; a timestamp is cut to its date (V-06). */
  day: () => day(),
  /**
   * ISO 8601 as `2026-11-21T09:30:00.000Z`; without an offset it is the tenant's time zone unless another is named, a
   * bare date midnight (V-05). For members of the body itself: deeper ones need a named zone.
   */
  timestamp: (timezone?: string) => timestamp(timezone),
  /** The field of a create or an action that may be absent; null means the same (V-10). */
  optional: <S extends z.ZodType>(schema: S) => optional(schema),
  /** The field may be absent; null and blank clear it to null (V-10). */
  clearable: <S extends z.ZodType>(schema: S) => clearable(schema),
  /** A PUT: any of the fields, at least one of them (V-14, V-15). Defaults of fields must not be given here. */
  changes: <F extends z.ZodRawShape>(fields: F) => changes(fields),
});

const LONG = 65_535;
/** Also said of query parameters. */
export const MONEY_WANTED = 'must be an amount with at most 2 decimals';
/** What OpenAPI says of text that may be a day or a moment. */
export const DAY_OR_MOMENT = {
  anyOf: [
    { type: 'string', format: 'date' },
    { type: 'string', format: 'date-time' },
  ],
};
const URL_WANTED = 'must be an absolute http or https URL';

interface Words {
  readonly max: number;
  /** Its normalised form is stored too, in a column of the same length. */
  readonly compared?: boolean;
  /** May have line breaks and tabs: texts people write, not names and subjects. */
  readonly lines?: boolean;
  /** The name OpenAPI has for it. */
  readonly format?: string;
  readonly accepts?: (text: string) => boolean;
  readonly otherwise?: string;
}

const EMAIL: Words = {
  max: 254,
  compared: true,
  format: 'email',
  accepts: isEmail,
  otherwise: 'must be an e-mail address',
};

function words(rule: Words) {
  return z.string().trim().min(1, 'is required').overwrite(oneLine(rule)).check(wording(rule)).meta(described(rule));
}

function blankable(rule: Words) {
  const schema = z.string().trim().overwrite(oneLine(rule)).check(wording(rule)).meta(described(rule)).optional();
  return z.preprocess((value) => (value === null ? '' : value), schema).optional();
}

/** Line breaks that came along when a name or subject was pasted become blanks. */
function oneLine({ lines }: Words): (text: string) => string {
  return lines ? (text) => text : (text) => text.replace(/[\t\r\n]+/g, ' ');
}

function secret(max: number) {
  return z
    .string()
    .min(1, 'is required')
    .check(wording({ max, lines: true }))
    .meta({ maxLength: max });
}

function described({ max, format }: Words) {
  return format ? { maxLength: max, format } : { maxLength: max };
}

/** Bounds before form: what is too long is not looked at. Blank text passes; `min(1)` refuses it where it must. */
function wording({ max, compared = false, lines = false, accepts, otherwise }: Words): z.core.CheckFn<string> {
  return ({ value, issues }) => {
    const refuse = (message: string) => issues.push({ code: 'custom', input: value, message });
    if (!fits(value, max) || (compared && !fits(normalised(value), max))) refuse(`must be at most ${max} characters`);
    else if (!isClean(value)) refuse('must not contain NUL or unpaired surrogates');
    else if (!lines && CONTROL.test(value)) refuse('must not contain control characters');
    else if (value !== '' && accepts && !accepts(value)) refuse(otherwise ?? 'is invalid');
  };
}

function int(min: number, max: number) {
  const range = `must be between ${min} and ${max}`;
  // Numbers beyond 2^53 are out of range too, and zod reports those first.
  const error = (issue: z.core.$ZodRawIssue) =>
    issue.code === 'too_big' || issue.code === 'too_small' ? range : undefined;
  return z.int({ error }).min(min, range).max(max, range);
}

function money({ min = -Infinity }: { min?: number }) {
  return z
    .number()
    .refine((amount) => amount >= min, `must be at least ${min}`)
    .refine((amount) => toMinor(amount) !== undefined, MONEY_WANTED)
    .transform((amount) => toMinor(amount) ?? 0);
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
  // The schema is older than the configuration: which zone a local time means is settled by `parse`.
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

function isEmail(text: string): boolean {
  const [local, domain, ...more] = text.split('@');
  if (!local || !domain || more.length > 0 || UNSEEN.test(text)) return false;
  const labels = domain.split('.');
  return labels.length > 1 && labels.every((each) => each !== '');
}

/** The URL parser drops tabs and line breaks silently, so they are refused here. */
function isWebUrl(text: string): boolean {
  return !UNSEEN.test(text) && /^https?:\/\//i.test(text) && URL.canParse(text);
}

function sixDigits(text: string): string {
  if (!COLOUR.test(text) || text.length === 7) return text;
  return `#${text.slice(1).replace(/./g, '$&$&')}`;
}
