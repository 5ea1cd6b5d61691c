import { IsNull, normalised, z, type Context, type Row } from '@keelson/core';
import { hashInTurn, signedOut } from '@keelson/core/system';
import { renewTechnicianHash, Technician } from '@keelson/modules/directory';
import { rememberDevice, withDevice, type DeviceOwner } from '../device.ts';
import { findFactor, type Owner } from '../factors/factor.ts';
import { seal, unseal } from '../factors/sealed.ts';
import { givenCode, requireSecondFactor } from '../factors/second-factor-check.ts';
import { beginFactor, enableFactor, isPending, type NewKey } from '../factors/second-factor.ts';
import { tryPassword } from './guess.ts';
import { tellNewDevice } from './new-device.ts';
import { refused } from './sign-in.ts';
import { endTechnicianSession, openTechnicianSession } from './technician-session.ts';

// Technicians sign in with the password or an identity provider, and then with a code if they have a second factor or need one (SF-31). Between
// the steps, the browser keeps a sealed record of the technician, valid only for the second step.

type TechnicianRow = Row<typeof Technician>;

/** The browser's cookies. */
export interface Browser {
  /** The current session, which ends. */
  readonly previous: string | undefined;
  /** The known devices. */
  readonly devices: string | undefined;
}

/** The cookie values after the sign-in. */
export interface SignedInTechnician {
  readonly cookie: string;
  readonly devices: string;
}

export type TechnicianSignIn =
  | SignedInTechnician
  | { readonly step: 'code'; readonly pending: string }
  | { readonly step: 'enrol'; readonly pending: string; readonly key: NewKey };

const PENDING = 'second step of a technician';
const Pending = z.object({ user_id: z.int(), access_version: z.int() });

/** Signs a technician in, or returns the next step. @throws signedOut() */
export async function signInTechnician(
  ctx: Context,
  { username, password, ...browser }: { username: string; password: string } & Browser,
): Promise<TechnicianSignIn> {
  const technician = await ctx.db.findOneBy(Technician, {
    email_key: normalised(username),
    active: true,
    deleted_at: IsNull(),
  });
  const hash = technician?.password_hash ?? undefined;
  const { device } = (technician && ownerOf(ctx, technician, browser)) ?? {};
  const { ok, rehash } = await tryPassword(ctx, { kind: 'technician', username, password, hash, device });
  if (!technician || !ok) throw refused(ctx, 'technician');
  const renewed = rehash ? await hashInTurn(ctx, password) : undefined;
  if (renewed) await ctx.transaction((inside) => renewTechnicianHash(inside, technician, renewed));
  return continueAs(ctx, technician, browser);
}

/**
 * Signs in a technician whom an identity provider has identified, or returns the next step. A second factor that the
 * provider asked for suffices.
 */
export async function signInIdentified(
  ctx: Context,
  technician: TechnicianRow,
  { multiFactor, ...browser }: { readonly multiFactor: boolean } & Browser,
): Promise<TechnicianSignIn> {
  return multiFactor ? openFor(ctx, technician, browser) : continueAs(ctx, technician, browser);
}

async function continueAs(ctx: Context, technician: TechnicianRow, browser: Browser): Promise<TechnicianSignIn> {
  const { user_id, access_version } = technician;
  const pending = seal(ctx, PENDING, { user_id, access_version });
  const owner = ownerOf(ctx, technician, browser);
  if (await findFactor(ctx, owner)) return { step: 'code', pending };
  if (isRequired(ctx)) return { step: 'enrol', pending, key: await beginFactor(ctx, owner) };
  return openFor(ctx, technician, browser);
}

export interface SecondStep extends Browser {
  readonly pending: string;
  readonly code: string;
}

/** Finishes the second step with a code. @throws signedOut() */
export async function finishWithCode(
  ctx: Context,
  { pending, code, ...browser }: SecondStep,
): Promise<SignedInTechnician> {
  const technician = await technicianAt(ctx, pending);
  const owner = ownerOf(ctx, technician, browser);
  // An administrator may have reset it since the first step.
  if (!(await findFactor(ctx, owner))) throw startAgain();
  await requireSecondFactor(ctx, owner, givenCode(code));
  return openFor(ctx, technician, browser);
}

/**
 * Finishes the second step of a technician who must set up a second factor, with the app's first code. Also returns the
 * recovery codes.
 * @throws signedOut(); invalid() when the code is wrong
 */
export async function finishWithEnrolment(
  ctx: Context,
  { pending, code, ...browser }: SecondStep,
): Promise<SignedInTechnician & { codes: readonly string[] }> {
  const technician = await technicianAt(ctx, pending);
  const codes = await enableFactor(ctx, ownerOf(ctx, technician, browser), code);
  return { ...(await openFor(ctx, technician, browser)), codes };
}

/** Requires a key that awaits its first code at the second step. @throws signedOut() */
export async function requirePending(ctx: Context, pending: string): Promise<void> {
  const { user_id } = await technicianAt(ctx, pending);
  if (!(await isPending(ctx, { kind: 'technician', id: user_id }))) throw startAgain();
}

/** Returns true if technicians must have a second factor. */
export function isRequired({ app }: Context): boolean {
  return app.config.technicianSecondFactor === 'required';
}

async function technicianAt(ctx: Context, pending: string): Promise<TechnicianRow> {
  const who = unseal(ctx, { purpose: PENDING, shape: Pending }, pending);
  const technician = who && (await ctx.db.findOneBy(Technician, { ...who, active: true, deleted_at: IsNull() }));
  if (!technician) throw startAgain();
  return technician;
}

async function openFor(ctx: Context, technician: TechnicianRow, browser: Browser): Promise<SignedInTechnician> {
  const { previous, devices } = browser;
  const cookie = await ctx.transaction(async (inside) => {
    await tellNewDevice(inside, ownerOf(ctx, technician, browser));
    if (previous) await endTechnicianSession(inside, previous);
    return openTechnicianSession(inside, technician);
  });
  return { cookie, devices: rememberDevice(ctx, devices, ownerOf(ctx, technician, browser)) };
}

function ownerOf(ctx: Context, technician: TechnicianRow, { devices }: Browser): Owner & DeviceOwner {
  const { user_id, email, access_version } = technician;
  return { ...withDevice(ctx, devices, { kind: 'technician', id: user_id, access_version }), account: email };
}

function startAgain(): Error {
  return signedOut('Your sign-in timed out: sign in again');
}
