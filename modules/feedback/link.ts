// The link in a closing mail. It names the closing and is signed, so nothing is stored until somebody uses it.
import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';
import { perApp, type App, type Timestamp } from '@keelson/core';

/** A closing of a ticket, and the person who is asked about it. */
export interface Closing {
  readonly ticket_id: number;
  readonly employee_number: number;
  readonly closed_at: Timestamp;
}

const keyOf = perApp(({ vault }) => createSecretKey(vault.derive('ticket rating links')));

/** Returns the address of the page on which a closing is rated. */
export function ratingLink(app: App, { ticket_id, employee_number, closed_at }: Closing): string {
  const said = `${ticket_id}.${employee_number}.${closed_at.replace(/\D/g, '')}`;
  return `${app.config.baseUrl}/rate?token=${said}.${signature(app, said)}`;
}

/** Returns the closing that a token names, or undefined if we did not sign it. */
export function readToken(app: App, token: string): Closing | undefined {
  const [, said, signed] = /^(\d+\.\d+\.\d{17})\.([\w-]{43})$/.exec(token) ?? [];
  if (said === undefined || signed === undefined) return undefined;
  if (!timingSafeEqual(Buffer.from(signed), Buffer.from(signature(app, said)))) return undefined;
  const [ticket_id, employee_number, at = ''] = said.split('.');
  const closed_at = at.replace(/^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d{3})$/, '$1-$2-$3T$4:$5:$6.$7Z');
  return { ticket_id: Number(ticket_id), employee_number: Number(employee_number), closed_at };
}

function signature(app: App, said: string): string {
  return createHmac('sha256', keyOf(app)).update(`${app.config.tenantSlug} ${said}`).digest('base64url');
}
