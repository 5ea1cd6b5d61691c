// A technician re-authenticates with the password or a code before their session may reveal its first secret.
import { invalid, type Context } from '@keelson/core';
import type { TechnicianActor } from '@keelson/core/system';
import { findFactor } from '../factors/factor.ts';
import { checkCode, givenCode } from '../factors/second-factor-check.ts';
import { requireOwnPassword } from '../passwords/own-password.ts';
import { confirmTechnicianSession } from './technician-session.ts';

export interface Proof {
  readonly password?: string | undefined;
  readonly code?: string | undefined;
}

/**
 * Checks the proof outside a transaction, then stores it.
 * @throws invalid() for a wrong one; `too-many` after too many
 */
export async function confirmTechnician(
  ctx: Context,
  { user_id, name, email, session_id }: TechnicianActor,
  { password, code }: Proof,
): Promise<void> {
  // Count guesses per session: other devices cannot lock it out, and its success does not reset their count.
  const owner = { kind: 'technician', id: user_id, account: email, device: `session ${session_id}` } as const;
  if (password !== undefined) await requireOwnPassword(ctx, owner, password);
  else await requireCode(ctx, owner, code);
  await ctx.transaction(async (inside) => {
    await confirmTechnicianSession(inside, session_id);
    const description = `${name} re-authenticated`;
    inside.record({ action: 'update', entity_type: 'technician', entity_id: user_id, description });
  });
}

async function requireCode(ctx: Context, owner: Parameters<typeof checkCode>[1], code: string | undefined) {
  if (code === undefined) throw invalid('password or code is required');
  const factor = await findFactor(ctx, owner);
  if (!factor) throw invalid('code: no authenticator app is set up, send the password');
  if (!(await checkCode(ctx, owner, factor, givenCode(code)))) throw invalid('Invalid code, or already used');
}
