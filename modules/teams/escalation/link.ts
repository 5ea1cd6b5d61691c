// The link with which a technician acknowledges an escalation from a mail. It is signed, names the escalation and the
// technician, and works until the escalation has ended.
import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';
import { perApp, type App } from '@keelson/core';

export interface Acknowledgement {
  readonly escalation_id: number;
  readonly user_id: number;
}

const keyOf = perApp(({ vault }) => createSecretKey(vault.derive('escalation links')));

/** Returns the address of the page on which a technician acknowledges an escalation. */
export function acknowledgeLink(app: App, { escalation_id, user_id }: Acknowledgement): string {
  const said = `${escalation_id}.${user_id}`;
  return `${app.config.baseUrl}/escalation?token=${said}.${signature(app, said)}`;
}

/** Returns what a token names, or undefined if we did not sign it. */
export function readToken(app: App, token: string): Acknowledgement | undefined {
  const [, said, signed] = /^(\d{1,15}\.\d{1,15})\.([\w-]{43})$/.exec(token) ?? [];
  if (said === undefined || signed === undefined) return undefined;
  if (!timingSafeEqual(Buffer.from(signed), Buffer.from(signature(app, said)))) return undefined;
  const [escalation_id, user_id] = said.split('.').map(Number);
  return { escalation_id: escalation_id ?? 0, user_id: user_id ?? 0 };
}

function signature(app: App, said: string): string {
  return createHmac('sha256', keyOf(app)).update(`${app.config.tenantSlug} ${said}`).digest('base64url');
}
