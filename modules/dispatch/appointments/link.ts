// The link with which a contact answers an appointment. It is signed and names one state of it: a moved appointment has
// another link.
import type { App } from '@keelson/core';
import { signedTokens } from '@keelson/core/plugin';

export interface Invitation {
  readonly appointment_id: number;
  readonly employee_number: number;
  readonly sequence: number;
}

const tokens = signedTokens('appointment links');

/** Returns the address of the page on which a contact confirms or declines an appointment. */
export function appointmentLink(app: App, { appointment_id, employee_number, sequence }: Invitation): string {
  const token = tokens.sign(app, `${appointment_id}.${employee_number}.${sequence}`);
  return `${app.config.baseUrl}/appointment?token=${token}`;
}

/** Returns what a token names, or undefined if we did not sign it. */
export function readToken(app: App, token: string): Invitation | undefined {
  const said = tokens.read(app, token);
  if (said === undefined) return undefined;
  const [appointment_id = 0, employee_number = 0, sequence = 0] = said.split('.').map(Number);
  return { appointment_id, employee_number, sequence };
}
