// A browser that somebody signed in with is known by a cookie, and its failures are counted apart (D8): whoever guesses
// from elsewhere cannot make the owner wait. Another password or address, or whatever else ends all sessions, ends it too.
import { secret, z, type Context } from '@keelson/core';
import { COOKIE_PATH } from './sessions/cookie.ts';
import type { OwnerId } from './factors/factor.ts';
import { seal, unseal } from './factors/sealed.ts';

/** Whose device it may be, as the person's row says now. */
export interface DeviceOwner extends OwnerId {
  readonly access_version: number;
}

const SECONDS = 180 * 24 * 3600;
export const deviceCookieOptions = { path: COOKIE_PATH, maxAgeSeconds: SECONDS } as const;

/** People who share a browser; of more, whoever signed in longest ago is forgotten. */
const MOST_PEOPLE = 5;
const Known = z.object({
  kind: z.enum(['employee', 'technician']),
  id: z.int(),
  access_version: z.int(),
  device: z.string(),
});
const sealed = { purpose: 'known devices', shape: z.object({ known: z.array(Known) }), seconds: SECONDS };

/** Somebody with the device they are known by, if `devices` (what the cookie holds) knows them. */
export function withDevice(ctx: Context, devices: string | undefined, owner: DeviceOwner): DeviceOwner {
  const { known } = unseal(ctx, sealed, devices) ?? { known: [] };
  const found = known.find((each) => isOf(each, owner) && each.access_version === owner.access_version);
  return { ...owner, device: found?.device };
}

/** What the cookie holds after somebody signed in, besides the people it knew before. */
export function rememberDevice(ctx: Context, devices: string | undefined, owner: DeviceOwner): string {
  const { kind, id, access_version } = owner;
  const { known } = unseal(ctx, sealed, devices) ?? { known: [] };
  const device = withDevice(ctx, devices, owner).device ?? secret(12);
  const others = known.filter((each) => !isOf(each, owner)).slice(0, MOST_PEOPLE - 1);
  return seal(ctx, sealed.purpose, { known: [{ kind, id, access_version, device }, ...others] });
}

/** Whoever is signed in is known as well: failures of the session are counted apart. */
export const sessionDevice = ({ session_id }: { readonly session_id: number }): string => `session ${session_id}`;

function isOf(known: z.output<typeof Known>, { kind, id }: DeviceOwner): boolean {
  return known.kind === kind && known.id === id;
}
