// Notifies people of a sign-in from a new device and address.
import type { Context } from '@keelson/core';
import { worded } from '@keelson/core/plugin';
import { EmployeeSession, TechnicianSession } from '../entities.ts';
import { tellOwner, type OwnerId } from '../factors/factor.ts';

/**
 * Mails the owner when a session is about to open in an unknown browser and at an address that none of their sessions
 * has. Skips the very first session. Runs in the transaction that opens the session.
 */
export async function tellNewDevice(ctx: Context, owner: OwnerId): Promise<void> {
  if (owner.device !== undefined) return;
  const { ip } = ctx.request;
  const count = (more: { readonly ip_address?: string }) =>
    owner.kind === 'employee'
      ? ctx.db.countBy(EmployeeSession, { employee_number: owner.id, ...more })
      : ctx.db.countBy(TechnicianSession, { user_id: owner.id, ...more });
  if ((await count({})) === 0 || (await count({ ip_address: ip })) > 0) return;
  const change = worded('Someone signed in to your account from a new device with the IP address {ip}.', { ip });
  await tellOwner(ctx, owner, change);
}
