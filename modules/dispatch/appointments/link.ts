// The link with which a contact answers an appointment. It is signed and bound to the appointment's sequence number, so
// moving the appointment invalidates it.
import type { App } from '@keelson/core';
import { signedIds } from '@keelson/core/plugin';

const tokens = signedIds('appointment links', ['appointment_id', 'employee_number', 'sequence']);
export type Invitation = Parameters<typeof tokens.sign>[1];

/** Returns the URL of the page on which a contact confirms or declines an appointment. */
export const appointmentLink = (app: App, invitation: Invitation): string =>
  `${app.config.baseUrl}/appointment?token=${tokenOf(app, invitation)}`;

/** Returns the token in the link. */
export const tokenOf = tokens.sign;

/** Returns the contents of a token, or undefined if its signature is invalid. */
export const readToken = tokens.read;
