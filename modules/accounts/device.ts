// A cookie marks browsers that a user has signed in with. Their failed sign-ins are counted separately (SF-08), so that
// guesses from elsewhere do not lock the owner out. Anything that ends all sessions, such as a new password, also voids
// the cookie.
import { secret, z, type Context } from '@keelson/core';
import type { OwnerId } from './factors/factor.ts';
import { seal, unseal } from './factors/sealed.ts';
import { COOKIE_PATH } from './sessions/cookie.ts';

/** A person, with the current `access_version` of their row. */
export interface DeviceOwner extends OwnerId {
  readonly access_version: number;
}

const SECONDS = 180 * 24 * 3600;
export const deviceCookieOptions = { path: COOKIE_PATH, maxAgeSeconds: SECONDS } as const;

/** Maximum people remembered per browser; the one who signed in longest ago is dropped first. */
const MAX_PEOPLE = 5;
const Known = z.object({
  kind: z.enum(['employee', 'technician']),
  id: z.int(),
  access_version: z.int(),
  device: z.string(),
});
const sealed = { purpose: 'known devices', shape: z.object({ known: z.array(Known) }), seconds: SECONDS };

/** Returns the owner with their device id, if `devices` (the value of the cookie) contains one. */
export function withDevice(ctx: Context, devices: string | undefined, owner: DeviceOwner): DeviceOwner {
  const { known } = unseal(ctx, sealed, devices) ?? { known: [] };
  const found = known.find((each) => isOf(each, owner) && each.access_version === owner.access_version);
  return { ...owner, device: found?.device };
}

/** Returns the cookie's new value after a sign-in. */
export function rememberDevice(ctx: Context, devices: string | undefined, owner: DeviceOwner): string {
  const { kind, id, access_version } = owner;
  const { known } = unseal(ctx, sealed, devices) ?? { known: [] };
  const device = withDevice(ctx, devices, owner).device ?? secret(12);
  const others = known.filter((each) => !isOf(each, owner)).slice(0, MAX_PEOPLE - 1);
  return seal(ctx, sealed.purpose, { known: [{ kind, id, access_version, device }, ...others] });
}

/** Returns a device id for a session, so that its failures are counted separately. */
export const sessionDevice = ({ session_id }: { readonly session_id: number }): string => `session ${session_id}`;

function isOf(known: z.output<typeof Known>, { kind, id }: DeviceOwner): boolean {
  return known.kind === kind && known.id === id;
}
