// The link with which a contact answers an appointment. It is signed and names one state of it: a moved appointment has
// another link.
import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';
import { perApp, type App } from '@keelson/core';

export interface Invitation {
  readonly appointment_id: number;
  readonly employee_number: number;
  readonly sequence: number;
}

const keyOf = perApp(({ vault }) => createSecretKey(vault.derive('appointment links')));

/** Returns the address of the page on which a contact confirms or declines an appointment. */
export function appointmentLink(app: App, { appointment_id, employee_number, sequence }: Invitation): string {
  const said = `${appointment_id}.${employee_number}.${sequence}`;
  return `${app.config.baseUrl}/appointment?token=${said}.${signature(app, said)}`;
}

/** Returns what a token names, or undefined if we did not sign it. */
export function readToken(app: App, token: string): Invitation | undefined {
  const [, said, signed] = /^(\d{1,15}\.\d{1,15}\.\d{1,9})\.([\w-]{43})$/.exec(token) ?? [];
  if (said === undefined || signed === undefined) return undefined;
  if (!timingSafeEqual(Buffer.from(signed), Buffer.from(signature(app, said)))) return undefined;
  const [appointment_id = 0, employee_number = 0, sequence = 0] = said.split('.').map(Number);
  return { appointment_id, employee_number, sequence };
}

function signature(app: App, said: string): string {
  return createHmac('sha256', keyOf(app)).update(`${app.config.tenantSlug} ${said}`).digest('base64url');
}
