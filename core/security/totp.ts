// Codes of an authenticator app (RFC 6238, D7b): six digits, a new one every 30 seconds.
import { unixSeconds, type Timestamp } from '../kit/time.ts';

const PERIOD = 30;

// Loaded when the first person with a second factor signs in.
const library = () => import('otplib');

/** A new key of 160 bits, in base32 as people type it into an app. */
export async function newTotpKey(): Promise<string> {
  return (await library()).generateSecret();
}

/** The `otpauth:` address that an app reads a key from; `account` and `issuer` are what the app shows. */
export async function totpUri(key: string, { account, issuer }: { account: string; issuer: string }): Promise<string> {
  return (await library()).generateURI({ secret: key, label: account, issuer });
}

/**
 * The step (number of 30 s since 1970) whose code this is: now's or a neighbour's, for clocks differ. Undefined when it is
 * none of them, or belongs to `usedStep` or an earlier one: each code is good once.
 */
export async function totpStep(
  key: string,
  code: string,
  { now, usedStep }: { now: Timestamp; usedStep: number | null },
): Promise<number | undefined> {
  if (!/^\d{6}$/.test(code)) return undefined;
  const epoch = unixSeconds(now);
  const { verify } = await library();
  const result = await verify({ secret: key, token: code, epoch, period: PERIOD, epochTolerance: PERIOD });
  if (!result.valid) return undefined;
  const step = Math.floor(epoch / PERIOD) + result.delta;
  return usedStep !== null && step <= usedStep ? undefined : step;
}
