// The link with which a manager decides on a request from a mail, without signing in. It is signed, identifies the ticket
// and the manager, and works until the request is decided.
import type { App } from '@keelson/core';
import { signedTokens } from '@keelson/core/plugin';

export interface Deciding {
  readonly ticket_id: number;
  readonly employee_number: number;
}

const tokens = signedTokens('approval links');

/** Returns the URL of the page on which a manager approves or rejects a ticket. */
export function approvalLink(app: App, { ticket_id, employee_number }: Deciding): string {
  return `${app.config.baseUrl}/approval?token=${tokens.sign(app, `${ticket_id}.${employee_number}`)}`;
}

/** Returns the contents of a token, or undefined if its signature is invalid. */
export function readToken(app: App, token: string): Deciding | undefined {
  const said = tokens.read(app, token);
  if (said === undefined) return undefined;
  const [ticket_id = 0, employee_number = 0] = said.split('.').map(Number);
  return { ticket_id, employee_number };
}
