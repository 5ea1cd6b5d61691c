// Google service accounts: exchanges an assertion signed with the private key for an access token (RFC 7523).
import { createPrivateKey } from 'node:crypto';
import { z, type Timestamp } from '@keelson/core';
import { explained, unixSeconds } from '@keelson/core/kit';
import type { Egress } from '@keelson/core/security';
import jwt from 'jsonwebtoken';

/** A service account of Google, or of any provider that accepts such assertions. */
export interface ServiceAccount {
  readonly clientEmail: string;
  /** PEM, RSA. */
  readonly privateKey: string;
  /** The token endpoint: `https://oauth2.googleapis.com/token`. */
  readonly tokenUrl: string;
  /** The requested scope: `https://www.googleapis.com/auth/spreadsheets`. */
  readonly scope: string;
}

const LIFETIME_SECONDS = 600;
const Token = z.object({ access_token: z.string().min(1).max(4096) });

/** Returns true for a private RSA key in PEM. */
export function isRsaKey(text: string): boolean {
  try {
    return createPrivateKey(text).asymmetricKeyType === 'rsa';
  } catch {
    return false;
  }
}

/** Returns an access token for the account. @throws Error when the provider does not respond or rejects the account */
export async function serviceToken(egress: Egress, account: ServiceAccount, now: Timestamp): Promise<string> {
  const { clientEmail, privateKey, tokenUrl, scope } = account;
  const iat = unixSeconds(now);
  const claims = { iss: clientEmail, scope, aud: tokenUrl, iat, exp: iat + LIFETIME_SECONDS };
  const assertion = jwt.sign(claims, privateKey, { algorithm: 'RS256' });
  const grant = { grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer', assertion };
  const { status, body } = await egress.request(tokenUrl, {
    method: 'POST',
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams(grant).toString(),
  });
  if (status !== 200) throw new Error(explained(`The token was refused with status ${status}`));
  return Token.parse(JSON.parse(body)).access_token;
}
