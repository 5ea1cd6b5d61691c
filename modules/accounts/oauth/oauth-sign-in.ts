import { DuplicateKey, IsNull, z, type Context } from '@keelson/core';
import { signedOut, tokenHash } from '@keelson/core/system';
import { Employee } from '@keelson/modules/directory';
import { isOffered } from '@keelson/modules/system';
import { withDevice } from '../device.ts';
import { UsedState } from '../entities.ts';
import { findFactor } from '../factors/factor.ts';
import { seal, unseal } from '../factors/sealed.ts';
import { givenCode, requireSecondFactor } from '../factors/second-factor-check.ts';
import { SIGN_IN, withNext } from '../next.ts';
import { tellNewDevice } from '../sessions/new-device.ts';
import { openSession } from '../sessions/session.ts';
import { employeeOwner } from '../sessions/sign-in.ts';
import { signInIdentified, type Browser, type TechnicianSignIn } from '../sessions/technician-sign-in.ts';
import { employeeOf, mayUse } from './linked-identity.ts';
import { ATTEMPT, Attempt, clientOf } from './oauth.ts';
import { OidcRefused, OidcUnreachable, type OidcPerson } from './oidc.ts';
import { defaultRedirect, withError } from './redirect.ts';
import { technicianOf } from './technician-identity.ts';

// The second half of a sign-in with an identity provider. Every refusal returns the same error; only the log
// gives the reason.

const PENDING = 'second step after a provider';
const Pending = z.object({ employee_number: z.int(), access_version: z.int(), location: z.string() });

export interface OauthReply {
  readonly code?: string | undefined;
  readonly state?: string | undefined;
  readonly iss?: string | undefined;
  readonly error?: string | undefined;
  /** The cookie from `beginOauth`. */
  readonly sealed: string | undefined;
}

export type OauthResult =
  | { readonly location: string }
  | { readonly location: string; readonly cookie: string }
  /** The employee has a second factor, and the provider did not ask for one. */
  | { readonly location: string; readonly pending: string }
  /** A technician, with the page of the console to go to. */
  | { readonly next: string; readonly technician: TechnicianSignIn };

/**
 * Signs in the employee or technician for a provider identity, or redirects with an error. Opens its own transactions.
 * @param browser the cookies of a technician's browser
 */
export async function finishOauth(ctx: Context, reply: OauthReply, browser: Browser): Promise<OauthResult> {
  const attempt = unseal(ctx, { purpose: ATTEMPT, shape: Attempt }, reply.sealed);
  if (!attempt || reply.state !== attempt.state || !(await useOnce(ctx, attempt.state))) {
    ctx.log.info({ ip: ctx.request.ip }, 'provider sign-in rejected: not started here, expired or already used');
    return { location: withError(defaultRedirect(ctx.app.config), 'invalid_request') };
  }
  const { kind, provider, redirect_uri: location } = attempt;
  const failed = (error: string, reason: unknown): OauthResult => {
    ctx.log.info({ kind, provider, ip: ctx.request.ip, reason }, 'provider sign-in rejected');
    return { location: kind === 'technician' ? withNext(SIGN_IN, location, { error }) : withError(location, error) };
  };
  if (reply.error !== undefined || reply.code === undefined) {
    return failed(reply.error === 'access_denied' ? 'access_denied' : 'server_error', reply.error);
  }
  // An administrator may have changed it since the first half.
  if (!(await isOffered(ctx, provider, kind))) return failed('access_denied', 'the provider is not offered to them');
  const person = await identify(ctx, attempt, { ...reply, code: reply.code });
  if (person instanceof OidcUnreachable) return failed('temporarily_unavailable', person.message);
  if (person instanceof OidcRefused) return failed('server_error', person.message);
  if (kind === 'technician') {
    const technician = await ctx.transaction((inside) => technicianOf(inside, provider, person));
    if (typeof technician === 'string') return failed('access_denied', technician);
    const { multiFactor } = person;
    return { next: location, technician: await signInIdentified(ctx, technician, { multiFactor, ...browser }) };
  }
  const found = await ctx.transaction((inside) => employeeOf(inside, provider, person));
  if (typeof found === 'string') return failed('access_denied', found);
  const owner = { kind: 'employee', id: found.employee_number } as const;
  const factor = person.multiFactor ? undefined : await findFactor(ctx, owner);
  const { employee_number, access_version } = found;
  if (factor) return { location, pending: seal(ctx, PENDING, { employee_number, access_version, location }) };
  const { cookie } = await ctx.transaction(async (inside) => {
    await tellNewDevice(inside, owner);
    return openSession(inside, found);
  });
  return { location, cookie };
}

/**
 * Finishes the sign-in of an employee whose second factor the provider did not ask for.
 * @throws signedOut() when the code is wrong, or the sign-in took too long
 */
export async function finishOauthWithCode(
  ctx: Context,
  { pending, code, devices }: { pending: string; code: string; devices: string | undefined },
): Promise<{ location: string; cookie: string }> {
  const { location, ...who } = unseal(ctx, { purpose: PENDING, shape: Pending }, pending) ?? { location: undefined };
  const employee = location && (await ctx.db.findOneBy(Employee, { ...who, deleted_at: IsNull() }));
  const owner = employee && withDevice(ctx, devices, employeeOwner(employee));
  if (!owner || !(await mayUse(ctx, employee)) || !(await findFactor(ctx, owner))) {
    throw signedOut('Your sign-in timed out: sign in again');
  }
  await requireSecondFactor(ctx, owner, givenCode(code));
  const { cookie } = await ctx.transaction(async (inside) => {
    await tellNewDevice(inside, owner);
    return openSession(inside, employee);
  });
  return { location, cookie };
}

/** Returns false when the same state was already used, possibly by another process. */
async function useOnce(ctx: Context, state: string): Promise<boolean> {
  try {
    await ctx.db.insert(UsedState, { state_hash: tokenHash(state), used_at: ctx.now });
    return true;
  } catch (error) {
    if (error instanceof DuplicateKey) return false;
    throw error;
  }
}

async function identify(
  ctx: Context,
  attempt: z.output<typeof Attempt>,
  { code, iss }: { code: string; iss?: string | undefined },
): Promise<OidcPerson | OidcRefused | OidcUnreachable> {
  try {
    return await (await clientOf(ctx, attempt.provider)).finish({ code, state: attempt.state, iss }, attempt);
  } catch (error) {
    if (error instanceof OidcRefused || error instanceof OidcUnreachable) return error;
    throw error;
  }
}
