// The link with which a technician acknowledges an escalation from a mail. It is signed, identifies the escalation and
// the technician, and works until the escalation ends.
import type { App } from '@keelson/core';
import { signedIds } from '@keelson/core/plugin';

const tokens = signedIds('escalation links', ['escalation_id', 'user_id']);
export type Acknowledgement = Parameters<typeof tokens.sign>[1];

/** Returns the URL of the page on which a technician acknowledges an escalation. */
export const acknowledgeLink = (app: App, acknowledgement: Acknowledgement): string =>
  `${app.config.baseUrl}/escalation?token=${tokens.sign(app, acknowledgement)}`;

/** Returns the contents of a token, or undefined if its signature is invalid. */
export const readToken = tokens.read;
