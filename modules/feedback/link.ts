// The link in a closing mail. It identifies the closing and is signed, so nothing is stored until the link is used.
import type { App, Timestamp } from '@keelson/core';
import { signedTokens } from '@keelson/core/plugin';

/** A closing of a ticket, and the person asked to rate it. */
export interface Closing {
  readonly ticket_id: number;
  readonly employee_number: number;
  readonly closed_at: Timestamp;
}

const tokens = signedTokens('ticket rating links');

/** Returns the URL of a closing's rating page. */
export function ratingLink(app: App, { ticket_id, employee_number, closed_at }: Closing): string {
  const token = tokens.sign(app, `${ticket_id}.${employee_number}.${closed_at.replace(/\D/g, '')}`);
  return `${app.config.baseUrl}/rate?token=${token}`;
}

/** Returns the closing in a token, or undefined if the signature is invalid. */
export function readToken(app: App, token: string): Closing | undefined {
  const said = tokens.read(app, token);
  if (said === undefined) return undefined;
  const [ticket_id, employee_number, at = ''] = said.split('.');
  const closed_at = at.replace(/^(\d{4})(\d\d)(\d\d)(\d\d)(\d\d)(\d\d)(\d{3})$/, '$1-$2-$3T$4:$5:$6.$7Z');
  return { ticket_id: Number(ticket_id), employee_number: Number(employee_number), closed_at };
}
