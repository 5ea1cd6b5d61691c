// The link with which a technician acknowledges an escalation from a mail. It is signed, identifies the escalation and
// the technician, and works until the escalation ends.
import type { App } from '@keelson/core';
import { signedTokens } from '@keelson/core/plugin';

export interface Acknowledgement {
  readonly escalation_id: number;
  readonly user_id: number;
}

const tokens = signedTokens('escalation links');

/** Returns the URL of the page on which a technician acknowledges an escalation. */
export function acknowledgeLink(app: App, { escalation_id, user_id }: Acknowledgement): string {
  return `${app.config.baseUrl}/escalation?token=${tokens.sign(app, `${escalation_id}.${user_id}`)}`;
}

/** Returns the contents of a token, or undefined if its signature is invalid. */
export function readToken(app: App, token: string): Acknowledgement | undefined {
  const said = tokens.read(app, token);
  if (said === undefined) return undefined;
  const [escalation_id = 0, user_id = 0] = said.split('.').map(Number);
  return { escalation_id, user_id };
}
