// Authenticator codes (TOTP, RFC 6238, SF-31): six digits, renewed every 30 seconds.
import type { Timestamp } from '@keelson/core';
import { unixSeconds } from '@keelson/core/kit';

const PERIOD = 30;

// Loaded on the first sign-in with a second factor.
const library = () => import('otplib');

/** Creates a 160-bit random key in base32, which people can type into an app. */
export async function newTotpKey(): Promise<string> {
  return (await library()).generateSecret();
}

/** Returns the `otpauth:` URI for a QR code. The app shows `account` and `issuer`. */
export async function totpUri(key: string, { account, issuer }: { account: string; issuer: string }): Promise<string> {
  return (await library()).generateURI({ secret: key, label: account, issuer });
}

/**
 * Returns the time step (30-second periods since 1970) of a code: the current one or a neighbour, to allow for clock
 * skew. Undefined if the code is wrong, or not later than `usedStep`, because each code works once.
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
