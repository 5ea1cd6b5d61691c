// Codes of an authenticator app (RFC 6238, SF-31): six digits, a new one every 30 seconds.
import { unixSeconds, type Timestamp } from '../kit/time.ts';

const PERIOD = 30;

// Loaded when the first person with a second factor signs in.
const library = () => import('otplib');

/** A new key of 160 random bits, in base32, which people can type into an app. */
export async function newTotpKey(): Promise<string> {
  return (await library()).generateSecret();
}

/** The `otpauth:` URI for a QR code; the app shows `account` and `issuer`. */
export async function totpUri(key: string, { account, issuer }: { account: string; issuer: string }): Promise<string> {
  return (await library()).generateURI({ secret: key, label: account, issuer });
}

/**
 * The time step (30-second periods since 1970) of a code: the current one or a neighbour, because clocks differ. Undefined
 * when the code is wrong, or of `usedStep` or an earlier one, because each code can be used once.
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
