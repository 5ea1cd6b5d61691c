// The value types of settings. Each message completes the sentence "NAME …" and never repeats the value, which may be a
// password.
import ipaddr from 'ipaddr.js';
import { z } from 'zod';
import { cronFault } from '../packages/events/job/cron.ts';
import { addressesOf } from '../packages/kit/addresses.ts';

export const text = (max: number) => z.string().max(max, `must have at most ${max} characters`);

export function matching(pattern: RegExp, message: string) {
  return z.string().regex(pattern, message);
}

export const cronLine = () =>
  z.string().superRefine((line, ctx) => {
    const message = cronFault(line);
    if (message !== undefined) ctx.addIssue({ code: 'custom', message });
  });

export function whole(min: number, max: number) {
  const message = `must be a whole number from ${min} to ${max}`;
  return z
    .string()
    .regex(/^\d{1,9}$/, message)
    .transform(Number)
    .pipe(z.int().min(min, message).max(max, message));
}

export function oneOf<const T extends readonly [string, ...string[]]>(...values: T) {
  return z.enum(values, `must be one of ${values.map((value) => value || '(nothing)').join(', ')}`);
}

export const yesNo = () => oneOf('true', 'false').transform((value) => value === 'true');

/** Accepts a URL with one of `protocols` ("https:"). */
export function url(protocols: readonly string[], message: string, accepts: (url: URL) => boolean = () => true) {
  return z.string().refine((value) => isUrl(value, protocols, accepts), message);
}

/** Accepts a URL that may name several hosts, separated by commas. */
export function urls(protocols: readonly string[], message: string, accepts: (url: URL) => boolean = () => true) {
  return z.string().refine((value) => addressesOf(value).every((each) => isUrl(each, protocols, accepts)), message);
}

function isUrl(value: string, protocols: readonly string[], accepts: (url: URL) => boolean): boolean {
  const parsed = URL.parse(value);
  return parsed !== null && protocols.includes(parsed.protocol) && parsed.hostname !== '' && accepts(parsed);
}

/** Accepts comma-separated values, each checked with `accepts`. */
export function list(accepts: (value: string) => boolean, message: string) {
  return z
    .string()
    .transform((value) =>
      value
        .split(',')
        .map((part) => part.trim())
        .filter((part) => part !== ''),
    )
    .refine((values) => values.every(accepts), message)
    .transform((values): readonly string[] => Object.freeze(values));
}

/**
 * Returns true for a range such as `10.0.0.0/8` or `fd00::/8`. A range of all addresses would disable the protection.
 */
export function isRange(value: string): boolean {
  return ipaddr.isValidCIDR(value) && !value.endsWith('/0');
}

/** Returns true for scheme, host and port only: `https://app.example.com`. */
export function isOrigin(value: string): boolean {
  const parsed = URL.parse(value);
  return parsed !== null && ['http:', 'https:'].includes(parsed.protocol) && parsed.origin === value;
}
