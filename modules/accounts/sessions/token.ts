// Helpdesk access tokens: they identify the person and the session, and contain no permissions.
import { z, type Timestamp } from '@keelson/core';
import { unixSeconds, uuid } from '@keelson/core/kit';
import jwt from 'jsonwebtoken';
import { LRUCache } from 'lru-cache';

export interface TokenKey {
  readonly kid: string;
  /** At least 32 bytes. */
  readonly secret: Buffer;
}

export interface AccessInput {
  readonly baseUrl: string;
  readonly tenant: string;
  readonly subject: string;
  /** The session id. Every request checks its row. */
  readonly session: string;
  readonly ttlSeconds: number;
  readonly now: Timestamp;
}

export interface VerifyOptions {
  readonly baseUrl: string;
  readonly tenant: string;
  /** Our own keys. The token's `kid` selects one. */
  readonly keys: readonly TokenKey[];
}

/** The claims of an access token. */
export type AccessClaims = Readonly<z.infer<typeof Claims>>;

const AUDIENCE = 'helpdesk';
const LEEWAY_SECONDS = 30;
const MAX_LENGTH = 4096;

const time = z.int().nonnegative();
const Header = z.strictObject({ alg: z.literal('HS256'), typ: z.literal('at+jwt'), kid: z.string() });
const Claims = z.object({
  iss: z.string(),
  aud: z.literal(AUDIENCE),
  sub: z.string().min(1),
  tenant: z.string(),
  sid: z.string().min(1),
  jti: z.string().min(1),
  iat: time,
  nbf: time,
  exp: time,
});

/** Signs a token valid for `ttlSeconds` from `now`. */
export function signAccess(input: AccessInput, key: TokenKey): string {
  const iat = unixSeconds(input.now);
  const claims: AccessClaims = {
    iss: input.baseUrl,
    aud: AUDIENCE,
    sub: input.subject,
    tenant: input.tenant,
    sid: input.session,
    jti: uuid(),
    iat,
    nbf: iat,
    exp: iat + input.ttlSeconds,
  };
  return jwt.sign(claims, key.secret, { algorithm: 'HS256', header: { alg: 'HS256', typ: 'at+jwt', kid: key.kid } });
}

/** Returns the claims, or undefined if the token is not ours, not for us, or not valid at `now` (30 s leeway). */
export function verifyAccess(token: string, options: VerifyOptions & { now: Timestamp }): AccessClaims | undefined {
  if (token.length > MAX_LENGTH) return undefined;
  const key = keyOf(token, options.keys);
  if (!key) return undefined;
  const now = unixSeconds(options.now);
  const claims = Claims.safeParse(verified(token, key, options.baseUrl, now)).data;
  return claims && claims.tenant === options.tenant && current(claims, now) ? claims : undefined;
}

/**
 * Creates a verifier that caches the last `max` valid tokens: a check takes 50 µs, and clients send the same token with
 * every request. Cached tokens still expire.
 */
export function tokenVerifier(
  options: VerifyOptions,
  max = 5000,
): (token: string, now: Timestamp) => AccessClaims | undefined {
  const good = new LRUCache<string, AccessClaims>({ max });
  return (token, now) => {
    const known = good.get(token);
    if (known) return current(known, unixSeconds(now)) ? known : undefined;
    const claims = verifyAccess(token, { ...options, now });
    if (claims) good.set(token, Object.freeze(claims));
    return claims;
  };
}

// The header is not verified yet, so it may only select one of our keys.
function keyOf(token: string, keys: readonly TokenKey[]): TokenKey | undefined {
  const header = Header.safeParse(decodedHeader(token)).data;
  return header && keys.find(({ kid }) => kid === header.kid);
}

function decodedHeader(token: string): unknown {
  try {
    return jwt.decode(token, { complete: true })?.header;
  } catch {
    // Not JSON, so not a token. The caller responds with 401.
    return undefined;
  }
}

function verified(token: string, key: TokenKey, issuer: string, now: number): unknown {
  try {
    return jwt.verify(token, key.secret, {
      algorithms: ['HS256'],
      issuer,
      audience: AUDIENCE,
      clockTimestamp: now,
      clockTolerance: LEEWAY_SECONDS,
    });
  } catch (error) {
    if (error instanceof jwt.JsonWebTokenError || error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function current({ iat, nbf, exp }: AccessClaims, now: number): boolean {
  return now < exp + LEEWAY_SECONDS && Math.max(nbf, iat) <= now + LEEWAY_SECONDS;
}
