// Messages to browsers: encrypted for one browser (RFC 8291) and signed (RFC 8292).
import type { KeyPair } from './keys.ts';

/** A browser's address at its push service, and its keys. */
export interface Browser {
  readonly endpoint: string;
  readonly p256dh: string;
  readonly auth: string;
}

export interface Message {
  readonly text: string;
  /** Who sends it, for the push service's operators: a URL or `mailto:`. */
  readonly subject: string;
  readonly urgent: boolean;
  /** Seconds for which the push service keeps it while the browser is offline. */
  readonly keepSeconds: number;
}

/** Returns the request that delivers a message. @throws Error for keys that are none */
export async function requestFor({ endpoint, p256dh, auth }: Browser, pair: KeyPair, message: Message) {
  const { text, subject, urgent, keepSeconds } = message;
  // Most installations send none, so the library loads with the first.
  const { default: webPush } = await import('web-push');
  const { headers, body } = webPush.generateRequestDetails({ endpoint, keys: { p256dh, auth } }, text, {
    vapidDetails: { subject, ...pair },
    TTL: keepSeconds,
    urgency: urgent ? 'high' : 'normal',
  });
  // The length is the sender's to tell.
  const sent = Object.entries<unknown>(headers).filter(([name]) => name !== 'Content-Length');
  return { headers: sent.map(([name, value]): [string, string] => [name, String(value)]), body };
}
