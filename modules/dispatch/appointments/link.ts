// The link with which a contact answers an appointment. It is signed and bound to the appointment's sequence number, so
// moving the appointment invalidates it.
import type { App } from '@keelson/core';
import { signedTokens } from '@keelson/core/plugin';

export interface Invitation {
  readonly appointment_id: number;
  readonly employee_number: number;
  readonly sequence: number;
}

const tokens = signedTokens('appointment links');

/** Returns the URL of the page on which a contact confirms or declines an appointment. */
export const appointmentLink = (app: App, invitation: Invitation): string =>
  `${app.config.baseUrl}/appointment?token=${tokenOf(app, invitation)}`;

/** Returns the token in the link. */
export const tokenOf = (app: App, { appointment_id, employee_number, sequence }: Invitation): string =>
  tokens.sign(app, `${appointment_id}.${employee_number}.${sequence}`);

/** Returns the contents of a token, or undefined if its signature is invalid. */
export function readToken(app: App, token: string): Invitation | undefined {
  const said = tokens.read(app, token);
  if (said === undefined) return undefined;
  const [appointment_id = 0, employee_number = 0, sequence = 0] = said.split('.').map(Number);
  return { appointment_id, employee_number, sequence };
}
