// Signs and posts webhooks (EV-02 to EV-05, EV-08, SF-15, SF-16). A module keeps the registry of endpoints.
import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import { secret } from '@keelson/kit/random.ts';
import { secondsBetween, unixSeconds, type Timestamp } from '@keelson/kit/time.ts';
import type { Egress } from '@keelson/security/egress.ts';
import type { EgressAnswer } from '@keelson/security/exchange.ts';
import { DeliveryError, type Report } from './target.ts';

export interface WebhookMessage {
  readonly event: string;
  /** When it happened, the same for every attempt. */
  readonly timestamp: Timestamp;
  /** The event's data in its public form. */
  readonly data: unknown;
}

export interface WebhookPost {
  readonly url: string;
  readonly message: WebhookMessage;
  /** The same for every attempt and every receiver, so that receivers can deduplicate. */
  readonly event_id: string;
  /** The same for every attempt. */
  readonly delivery_id: string;
  /** The first key signs the body. All keys sign the headers, so that a receiver can switch to a new one. */
  readonly keys: readonly [SigningKey, ...SigningKey[]];
  readonly now: Timestamp;
}

/** Seconds before each attempt (EV-05): 10 in 75 hours. */
export const webhookRetrySchedule: readonly number[] = [
  0,
  5,
  5 * 60,
  30 * 60,
  ...[2, 5, 10, 14, 20, 24].map((hours) => hours * 3600),
];

const LONGEST_WAIT = 24 * 3600;
const TIMEOUT_MS = 10_000;
const MOST_BYTES = 1024;

/** A secret as keys for the two signatures. Cache it: creating one costs more than signing with it. */
export interface SigningKey {
  /** Signs the body: the bytes of the text. */
  readonly text: KeyObject;
  /** Signs the headers: the decoded base64 after the prefix of Standard Webhooks, or the bytes of any other text. */
  readonly bytes: KeyObject;
}

/** Creates the signing keys of a secret. */
export function signingKey(secretText: string): SigningKey {
  const [, base64] = /^whsec_([\w+/]+={0,2})$/.exec(secretText) ?? [];
  const text = createSecretKey(secretText, 'utf8');
  return { text, bytes: base64 === undefined ? text : createSecretKey(base64, 'base64') };
}

/** Creates a secret of 256 random bits in the form of Standard Webhooks: `whsec_…`. */
export function webhookSecret(): string {
  return `whsec_${Buffer.from(secret(32), 'base64url').toString('base64')}`;
}

/**
 * Returns the body: compact JSON with its HMAC as the last member. The signed text is the body with its last 87 bytes
 * (`,"signature":"sha256=…"}`) replaced by a closing brace (ME-24).
 */
export function signedBody({ event, timestamp, data }: WebhookMessage, key: SigningKey): string {
  const signed = JSON.stringify({ event, timestamp: `${timestamp.slice(0, 19)}Z`, data });
  return `${signed.slice(0, -1)},"signature":"${hexSignature(key, signed)}"}`;
}

/** Returns the headers of EV-02, EV-03 and Standard Webhooks 1.0. */
export function webhookHeaders(post: WebhookPost, body: string): Record<string, string> {
  const at = String(unixSeconds(post.now));
  const signed = `${post.event_id}.${at}.${body}`;
  return {
    'content-type': 'application/json',
    'user-agent': 'Keelson-Webhooks',
    'x-webhook-event': post.message.event,
    'x-webhook-delivery': post.delivery_id,
    'x-webhook-signature': hexSignature(post.keys[0], body),
    'webhook-id': post.event_id,
    'webhook-timestamp': at,
    'webhook-signature': post.keys.map(({ bytes }) => `v1,${hmac(bytes, signed).digest('base64')}`).join(' '),
  };
}

/**
 * Sends one attempt; returns the receiver's status and the start of its response. Only a 2xx within 10 s is a success,
 * a redirect is not; at most 1 KiB of the response is read (EV-04, EV-05).
 * @throws DeliveryError with the receiver's response
 */
export async function postWebhook(egress: Egress, post: WebhookPost): Promise<Report> {
  const body = signedBody(post.message, post.keys[0]);
  const headers = webhookHeaders(post, body);
  const limits = { timeoutMs: TIMEOUT_MS, maxBytes: MOST_BYTES };
  const answer = await egress.request(post.url, { method: 'POST', headers, body, ...limits });
  const report = { status: answer.status, answer: answer.body };
  if (answer.status >= 200 && answer.status < 300) return report;
  throw new DeliveryError(`The receiver responded with ${answer.status}`, {
    final: answer.status === 410,
    retryAfterSeconds: retryAfter(answer, post.now),
    report,
  });
}

/** Returns `Retry-After` in seconds: it is a number or a date (RFC 9110). Values are capped at a day. */
function retryAfter({ headers }: EgressAnswer, now: Timestamp): number {
  const text = headers['retry-after']?.trim() ?? '';
  const date = Date.parse(text);
  const seconds = /^\d{1,9}$/.test(text)
    ? Number(text)
    : Number.isNaN(date)
      ? 0
      : secondsBetween(now, new Date(date).toISOString());
  return Math.min(Math.max(0, seconds), LONGEST_WAIT);
}

function hexSignature({ text: key }: SigningKey, text: string): string {
  return `sha256=${hmac(key, text).digest('hex')}`;
}

function hmac(key: KeyObject, text: string) {
  return createHmac('sha256', key).update(text, 'utf8');
}
