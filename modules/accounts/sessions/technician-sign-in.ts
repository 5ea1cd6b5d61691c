import { renewTechnicianHash, Technician } from '@keelson/modules/directory';
import { normalised, signedOut, z, type Context, type Row } from '@keelson/core';
import { findFactor, type Owner } from '../factors/factor.ts';
import { rehashed, tryPassword } from './guess.ts';
import { seal, unseal } from '../factors/sealed.ts';
import { beginFactor, enableFactor, waitingKey, type NewKey } from '../factors/second-factor.ts';
import { givenCode, requireSecondFactor } from '../factors/second-factor-check.ts';
import { refused } from './sign-in.ts';
import { endTechnicianSession, openTechnicianSession } from './technician-session.ts';

// A technician signs in with the password, and then with a code where there is a second factor or one is required (D7b).
// Between the two the browser holds a sealed note of who has come so far; it opens nothing but the second step.

type TechnicianRow = Row<typeof Technician>;

export type TechnicianSignIn =
  | { readonly cookie: string }
  | { readonly step: 'code'; readonly pending: string }
  | { readonly step: 'enrol'; readonly pending: string; readonly key: NewKey };

const PENDING = 'second step of a technician';
const Pending = z.object({ user_id: z.int(), access_version: z.int() });

/**
 * Signs a technician in, or says which step follows. `previous` is the cookie the browser had: its session ends.
 * @throws signedOut()
 */
export async function signInTechnician(
  ctx: Context,
  { username, password, previous }: { username: string; password: string; previous: string | undefined },
): Promise<TechnicianSignIn> {
  const technician = await ctx.db.one(Technician, { email_key: normalised(username), active: true, deleted_at: null });
  const hash = technician?.password_hash ?? undefined;
  const { ok, rehash } = await tryPassword(ctx, { kind: 'technician', username, password, hash });
  if (!technician || !ok) throw refused(ctx, 'technician');
  const renewed = rehash ? await rehashed(ctx, password) : undefined;
  if (renewed) await ctx.transaction((inside) => renewTechnicianHash(inside, technician, renewed));
  const { user_id, access_version } = technician;
  const pending = seal(ctx, PENDING, { user_id, access_version });
  if (await findFactor(ctx, ownerOf(technician))) return { step: 'code', pending };
  if (isRequired(ctx)) return { step: 'enrol', pending, key: await beginFactor(ctx, ownerOf(technician)) };
  return { cookie: await openFor(ctx, technician, previous) };
}

export interface SecondStep {
  readonly pending: string;
  readonly code: string;
  readonly previous: string | undefined;
}

/** The second step with a code; answers what the cookie holds. @throws signedOut() */
export async function finishWithCode(ctx: Context, { pending, code, previous }: SecondStep): Promise<string> {
  const technician = await technicianAt(ctx, pending);
  const owner = ownerOf(technician);
  // An administrator may have reset it since the first step.
  if (!(await findFactor(ctx, owner))) throw startAgain();
  await requireSecondFactor(ctx, owner, givenCode(code));
  return openFor(ctx, technician, previous);
}

/**
 * The second step of somebody who has to set one up: the first code from the app. Answers what the cookie holds, and the
 * recovery codes. @throws signedOut(); invalid() when the code is wrong
 */
export async function finishWithEnrolment(
  ctx: Context,
  { pending, code, previous }: SecondStep,
): Promise<{ cookie: string; codes: readonly string[] }> {
  const technician = await technicianAt(ctx, pending);
  const codes = await enableFactor(ctx, ownerOf(technician), code);
  return { cookie: await openFor(ctx, technician, previous), codes };
}

/** The key that somebody at the second step is to put into the app. @throws signedOut() */
export async function enrolmentKey(ctx: Context, pending: string): Promise<NewKey> {
  const key = await waitingKey(ctx, ownerOf(await technicianAt(ctx, pending)));
  if (!key) throw startAgain();
  return key;
}

/** Whether technicians must have a second factor here. */
export function isRequired({ app }: Context): boolean {
  return app.config.technicianSecondFactor === 'required';
}

async function technicianAt(ctx: Context, pending: string): Promise<TechnicianRow> {
  const who = unseal(ctx, PENDING, Pending, pending);
  const technician = who && (await ctx.db.one(Technician, { ...who, active: true, deleted_at: null }));
  if (!technician) throw startAgain();
  return technician;
}

function openFor(ctx: Context, technician: TechnicianRow, previous: string | undefined): Promise<string> {
  return ctx.transaction(async (inside) => {
    if (previous) await endTechnicianSession(inside, previous);
    return openTechnicianSession(inside, technician);
  });
}

function ownerOf({ user_id, email }: TechnicianRow): Owner {
  return { kind: 'technician', id: user_id, account: email };
}

function startAgain(): Error {
  return signedOut('That took too long: sign in again');
}
