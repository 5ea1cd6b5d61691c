// Signing in with an OpenID Connect provider (A-22, D11): the authorization code flow with PKCE, state and nonce. The
// provider is spoken to through egress.ts only.
import type { Configuration, CustomFetch } from 'openid-client';
import { LRUCache } from 'lru-cache';
import { secret } from '../kit/random.ts';
import type { Egress } from './egress.ts';

export interface OidcClient {
  /** As the provider writes it: `https://accounts.google.com`. */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** Where the provider sends people back to. */
  readonly redirectUri: string;
}

/** The secrets of one sign-in; they stay with the browser that began it, and are good for one. */
export interface OidcAttempt {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** Who the provider says it was. */
export interface OidcPerson {
  readonly issuer: string;
  /** The only name that stays the same person's for ever, within the issuer. */
  readonly subject: string;
  /** Undefined unless the provider vouches that the address is the person's. */
  readonly verifiedEmail: string | undefined;
  /** Whether the provider says that more than one factor was used (`amr`, RFC 8176). */
  readonly multiFactor: boolean;
}

/** What the provider sent back with the browser. */
export interface OidcReply {
  readonly code: string;
  readonly state: string;
  /** Who answers (RFC 9207), where the provider says so. */
  readonly iss: string | undefined;
}

/** An OpenID Connect provider as `oidcProvider(…)` makes it. */
export interface OidcProvider {
  /** Where the browser goes to sign in. @throws OidcUnreachable, OidcRefused */
  authorizationUrl(attempt: OidcAttempt): Promise<string>;
  /** Exchanges the reply for who it is. @throws OidcUnreachable, OidcRefused when anything about it is wrong */
  finish(reply: OidcReply, attempt: OidcAttempt): Promise<OidcPerson>;
}

/** The provider does not answer, or says that it cannot now. */
export class OidcUnreachable extends Error {}
/** The provider's answer is not one that may be relied on. */
export class OidcRefused extends Error {}

const SCOPE = 'openid email profile';
/** Signatures that cannot be made with what is public, and that every provider offers. */
const ALGORITHMS = ['RS256', 'ES256'] as const;
const DISCOVERED_SECONDS = 3600;
const LONGEST_SUBJECT = 255;
/** Key sets of large providers are longer than other answers. */
const LONGEST_ANSWER = 256 * 1024;

/** The secrets of a new sign-in. */
export function newOidcAttempt(): OidcAttempt {
  return { state: secret(), nonce: secret(), verifier: secret() };
}

/** A provider as this installation knows it. Nothing is sent before it is used; what it says about itself is kept an hour. */
export function oidcProvider(egress: Egress, client: OidcClient): OidcProvider {
  const known = new LRUCache<string, Awaited<ReturnType<typeof discover>>>({
    max: 1,
    ttl: DISCOVERED_SECONDS * 1000,
    fetchMethod: () => discover(egress, client),
  });
  return {
    authorizationUrl: (attempt) =>
      judged(async () => {
        const { buildAuthorizationUrl, calculatePKCECodeChallenge } = await library();
        const { state, nonce, verifier } = attempt;
        const url = buildAuthorizationUrl(await known.forceFetch('metadata'), {
          redirect_uri: client.redirectUri,
          scope: SCOPE,
          state,
          nonce,
          code_challenge: await calculatePKCECodeChallenge(verifier),
          code_challenge_method: 'S256',
        });
        return url.href;
      }),
    finish: (reply, attempt) =>
      judged(async () => exchange(await known.forceFetch('metadata'), client, reply, attempt)),
  };
}

// Loaded at the first sign-in: most processes never need it.
const library = () => import('openid-client');

async function discover(egress: Egress, { issuer, clientId, clientSecret }: OidcClient): Promise<Configuration> {
  const { allowInsecureRequests, ClientSecretBasic, ClientSecretPost, Configuration, ...openid } = await library();
  const fetch = through(egress);
  // Only a provider on this very machine may be configured without https (config/identity.ts).
  const execute = issuer.startsWith('http:') ? [allowInsecureRequests] : [];
  const found = await openid.discovery(new URL(issuer), clientId, undefined, undefined, {
    [openid.customFetch]: fetch,
    execute,
  });
  const { supportsPKCE: _method, ...server } = found.serverMetadata();
  const methods = server.token_endpoint_auth_methods_supported ?? ['client_secret_basic'];
  const basic = methods.includes('client_secret_basic');
  const configuration = new Configuration(
    { ...server, id_token_signing_alg_values_supported: [...ALGORITHMS] },
    clientId,
    {},
    basic ? ClientSecretBasic(clientSecret) : ClientSecretPost(clientSecret),
  );
  configuration[openid.customFetch] = fetch;
  // Without this the signature of an ID token that came straight from the provider would not be looked at.
  openid.enableNonRepudiationChecks(configuration);
  for (const each of execute) each(configuration);
  return configuration;
}

async function exchange(
  configuration: Configuration,
  { redirectUri }: OidcClient,
  { code, state, iss }: OidcReply,
  attempt: OidcAttempt,
): Promise<OidcPerson> {
  const { authorizationCodeGrant, fetchUserInfo } = await library();
  const url = new URL(redirectUri);
  url.search = new URLSearchParams({ code, state, ...(iss === undefined ? {} : { iss }) }).toString();
  const tokens = await authorizationCodeGrant(configuration, url, {
    expectedState: attempt.state,
    expectedNonce: attempt.nonce,
    pkceCodeVerifier: attempt.verifier,
    idTokenExpected: true,
  });
  const claims = tokens.claims();
  if (!claims) throw new OidcRefused('The provider sent no ID token');
  const { iss: issuer, sub: subject } = claims;
  if (subject === '' || subject.length > LONGEST_SUBJECT) throw new OidcRefused('The provider names nobody');
  const about =
    claims['email'] === undefined ? await fetchUserInfo(configuration, tokens.access_token, subject) : claims;
  const methods: unknown = claims['amr'];
  return {
    issuer,
    subject,
    verifiedEmail: isVerified(about) && typeof about['email'] === 'string' ? about['email'] : undefined,
    multiFactor: Array.isArray(methods) && methods.includes('mfa'),
  };
}

// Microsoft has no `email_verified`; its `xms_edov` says that the directory owns the address's domain.
function isVerified(claims: Readonly<Record<string, unknown>>): boolean {
  return [claims['email_verified'], claims['xms_edov']].some(
    (value) => value === true || value === 'true' || value === 1,
  );
}

function through(egress: Egress): CustomFetch {
  return async (url, { method, headers, body }) => {
    const text = body === undefined || body === null ? {} : { body: asText(body) };
    const asked = egress.request(url, { method, headers, ...text, maxBytes: LONGEST_ANSWER });
    const answer = await asked.catch((error: unknown) => {
      throw new OidcUnreachable('The identity provider does not answer', { cause: error });
    });
    if (answer.status >= 500) throw new OidcUnreachable(`The identity provider answers ${answer.status}`);
    return new Response([204, 205, 304].includes(answer.status) ? null : answer.body, answer);
  };
}

function asText(body: unknown): string {
  if (typeof body === 'string' || body instanceof URLSearchParams) return String(body);
  throw new Error('Only text is sent to identity providers');
}

/** Whatever goes wrong is one of the two: the provider is not there, or its answer is not to be relied on. */
async function judged<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
      if (cause instanceof OidcUnreachable) throw cause;
    }
    throw new OidcRefused(error instanceof Error ? error.message : 'The identity provider was refused', {
      cause: error,
    });
  }
}
