// The link with which a manager decides on a request from a mail, without signing in. It is signed, identifies the ticket
// and the manager, and works until the request is decided.
import type { App } from '@keelson/core';
import { signedIds } from '@keelson/core/plugin';

const tokens = signedIds('approval links', ['ticket_id', 'employee_number']);
export type Deciding = Parameters<typeof tokens.sign>[1];

/** Returns the URL of the page on which a manager approves or rejects a ticket. */
export const approvalLink = (app: App, deciding: Deciding): string =>
  `${app.config.baseUrl}/approval?token=${tokens.sign(app, deciding)}`;

/** Returns the contents of a token, or undefined if its signature is invalid. */
export const readToken = tokens.read;
