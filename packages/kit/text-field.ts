// Schemas for text fields: trimming, length, allowed characters, and the format of addresses and URLs.
import { z } from 'zod';
import { fits, isClean } from './characters.ts';
import { readAddress } from './ip.ts';
import { normalised } from './normal.ts';

const CONTROL = /\p{Cc}/u;
// Characters not allowed in addresses and URLs.
const SPACE_OR_CONTROL = /[\s\p{Cc}]/u;
/** Characters that separate and enclose addresses in mails: `Ann <ann@example.com>, …`. */
const MAIL_SYNTAX = /[()<>[\]:;\\,"]/;

export interface TextRule {
  readonly max: number;
  /** The normalised form is stored too, in a column of the same length. */
  readonly compared?: boolean;
  /** Allows line breaks and tabs: for prose, not for names and subjects. */
  readonly multiline?: boolean;
  /** The `format` in the JSON schema. */
  readonly format?: string;
  readonly accepts?: (text: string) => boolean;
  /** The message if `accepts` rejects the text. */
  readonly phrase?: string;
  /** Converts accepted text to its canonical form. Must return other text unchanged. */
  readonly spelling?: (text: string) => string;
}

export const EMAIL: TextRule = {
  max: 254,
  compared: true,
  format: 'email',
  accepts: isEmail,
  phrase: 'must be an email address',
};

export const WEB_URL: TextRule = {
  max: 2048,
  format: 'uri',
  accepts: isWebUrl,
  phrase: 'must be an absolute http or https URL',
};

export const IP: TextRule = {
  max: 45,
  accepts: (text) => readAddress(text) !== undefined,
  spelling: (text) => readAddress(text) ?? text,
  phrase: 'must be an IPv4 or IPv6 address',
};

/** Common notations: `AA-BB-CC-DD-EE-FF`, `aabb.ccdd.eeff` and others. */
export const MAC: TextRule = {
  max: 23,
  accepts: (text) => MAC_SPELLINGS.test(text),
  spelling: macSpelling,
  phrase: 'must be a MAC address (six pairs of hexadecimal digits)',
};
const MAC_SPELLINGS = /^(?:[0-9a-f]{2}([:-]?)[0-9a-f]{2}(?:\1[0-9a-f]{2}){4}|[0-9a-f]{4}(?:\.[0-9a-f]{4}){2})$/i;

/** Converts a MAC address to `aa:bb:cc:dd:ee:ff` (V-23). Returns other text unchanged. */
function macSpelling(text: string): string {
  if (!MAC_SPELLINGS.test(text)) return text;
  return (text.toLowerCase().match(/[0-9a-f]{2}/g) ?? []).join(':');
}

/** Builds a schema for required, non-blank text. */
export function textField(rule: TextRule) {
  return z.string().trim().min(1, 'is required').overwrite(oneLine(rule)).check(textCheck(rule)).meta(textMeta(rule));
}

/** Builds a schema for optional text. Blank and null become ''. */
export function optionalTextField(rule: TextRule) {
  const schema = z.string().trim().overwrite(oneLine(rule)).check(textCheck(rule)).meta(textMeta(rule)).optional();
  return z.preprocess((value) => (value === null ? '' : value), schema).optional();
}

/** Replaces line breaks in names and subjects, which come from pasting, with spaces. */
function oneLine({ multiline, spelling, max }: TextRule): (text: string) => string {
  if (spelling) return (text) => (text.length <= max ? spelling(text) : text);
  return multiline ? (text) => text : (text) => text.replace(/[\t\r\n]+/g, ' ');
}

/** Builds a schema for text exactly as typed. */
export function secret(max: number) {
  return z
    .string()
    .min(1, 'is required')
    .check(textCheck({ max, multiline: true }))
    .meta({ maxLength: max });
}

function textMeta({ max, format }: TextRule) {
  return format ? { maxLength: max, format } : { maxLength: max };
}

/** Checks the length first, so that no pattern runs on long text. Empty text passes; `min(1)` rejects it elsewhere. */
function textCheck({ max, compared = false, multiline, accepts, phrase }: TextRule): z.core.CheckFn<string> {
  return ({ value, issues }) => {
    const refuse = (message: string) => issues.push({ code: 'custom', input: value, message });
    if (!fits(value, max) || (compared && !fits(normalised(value), max))) refuse(`must be at most ${max} characters`);
    else if (!isClean(value)) refuse('must not contain NUL or unpaired surrogates');
    else if (!multiline && CONTROL.test(value)) refuse('must not contain control characters');
    else if (value !== '' && accepts && !accepts(value)) refuse(phrase ?? 'is invalid');
  };
}

function isEmail(text: string): boolean {
  const [local, domain, ...more] = text.split('@');
  if (!local || !domain || more.length > 0 || SPACE_OR_CONTROL.test(text) || MAIL_SYNTAX.test(text)) return false;
  const labels = domain.split('.');
  return labels.length > 1 && labels.every((each) => each !== '');
}

/** The URL parser silently strips tabs and line breaks, so reject them here. */
function isWebUrl(text: string): boolean {
  return !SPACE_OR_CONTROL.test(text) && /^https?:\/\//i.test(text) && URL.canParse(text);
}
