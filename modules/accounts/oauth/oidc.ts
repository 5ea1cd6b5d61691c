// Sign-in with an OpenID Connect provider (A-22, SF-11): the authorization code flow with PKCE, state and nonce. All
// requests to the provider go through egress.ts.
import { secret } from '@keelson/core';
import type { Egress } from '@keelson/core/security';
import { LRUCache } from 'lru-cache';
import type { Configuration, CustomFetch } from 'openid-client';

export interface OidcClient {
  /** As the provider writes it: `https://accounts.google.com`. */
  readonly issuer: string;
  readonly clientId: string;
  readonly clientSecret: string;
  /** The URL to which the provider redirects after sign-in. */
  readonly redirectUri: string;
}

/** The secrets of one sign-in, kept with the browser that started it. */
export interface OidcAttempt {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

/** The person as identified by the provider. */
export interface OidcPerson {
  readonly issuer: string;
  /** The person's permanent identifier at this issuer. Nothing else is stable. */
  readonly subject: string;
  /** The email address, or undefined unless the provider has verified it. */
  readonly verifiedEmail: string | undefined;
  /** The domain of a Google Workspace account (`hd`). */
  readonly hostedDomain?: string | undefined;
  /** The provider reports more than one factor (`amr`, RFC 8176). */
  readonly multiFactor: boolean;
}

/** The provider's reply, carried back by the browser. */
export interface OidcReply {
  readonly code: string;
  readonly state: string;
  /** The issuer (RFC 9207), if the provider sends it. */
  readonly iss: string | undefined;
}

/** Metadata published by a provider. */
export interface DiscoveredOidc {
  readonly issuer: string;
  readonly authorization_endpoint: string;
  readonly token_endpoint: string;
}

/** An OpenID Connect provider, created by `oidcProvider(…)`. */
export interface OidcProvider {
  /** Returns the URL where the browser signs in. @throws OidcUnreachable, OidcRefused */
  authorizationUrl(attempt: OidcAttempt): Promise<string>;
  /**
   * Returns the endpoints in the provider's metadata.
   * @throws OidcUnreachable, OidcRefused
   */
  discovered(): Promise<DiscoveredOidc>;
  /** Exchanges the reply for the person. @throws OidcUnreachable; OidcRefused when anything in the reply is invalid */
  finish(reply: OidcReply, attempt: OidcAttempt): Promise<OidcPerson>;
}

/** The provider does not respond, or is temporarily unavailable. */
export class OidcUnreachable extends Error {}
/** The provider's response is invalid or untrusted. */
export class OidcRefused extends Error {}

const SCOPE = 'openid email profile';
/** Signature algorithms that every provider offers and that need a private key. */
const ALGORITHMS = ['RS256', 'ES256'] as const;
const DISCOVERED_SECONDS = 3600;
const LONGEST_SUBJECT = 255;
/** Key sets of large providers exceed the default limit. */
const LONGEST_ANSWER = 256 * 1024;

/** Creates the secrets of a new sign-in. */
export function newOidcAttempt(): OidcAttempt {
  return { state: secret(), nonce: secret(), verifier: secret() };
}

/** Creates a provider. No request is sent before first use. Its metadata is cached for an hour. */
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
    discovered: () =>
      judged(async () => {
        const metadata = (await known.forceFetch('metadata')).serverMetadata();
        const { issuer, authorization_endpoint, token_endpoint } = metadata;
        if (!authorization_endpoint || !token_endpoint) throw new OidcRefused('The provider offers no sign-in');
        return { issuer, authorization_endpoint, token_endpoint };
      }),
    finish: (reply, attempt) =>
      judged(async () => exchange(await known.forceFetch('metadata'), client, reply, attempt)),
  };
}

// Loaded on the first sign-in, because most processes never need it.
const library = () => import('openid-client');

async function discover(egress: Egress, { issuer, clientId, clientSecret }: OidcClient): Promise<Configuration> {
  const { allowInsecureRequests, ClientSecretBasic, ClientSecretPost, Configuration, ...openid } = await library();
  const fetch = through(egress);
  // Only a provider on this machine may be configured without https (config/identity.ts).
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
  // Without this, the signature of an ID token received directly from the provider would not be verified.
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
  if (subject === '' || subject.length > LONGEST_SUBJECT)
    throw new OidcRefused('The identity provider returned no user');
  const about =
    claims['email'] === undefined ? await fetchUserInfo(configuration, tokens.access_token, subject) : claims;
  const methods: unknown = claims['amr'];
  return {
    issuer,
    subject,
    verifiedEmail: isVerified(issuer, about) && typeof about['email'] === 'string' ? about['email'] : undefined,
    hostedDomain: typeof claims['hd'] === 'string' ? claims['hd'] : undefined,
    multiFactor: Array.isArray(methods) && methods.includes('mfa'),
  };
}

const MICROSOFT = 'https://login.microsoftonline.com/';

// Microsoft's `email` is set freely by the directory's administrator. Its `xms_edov` says that the directory owns the
// address's domain. From any other issuer that claim is meaningless.
function isVerified(issuer: string, claims: Readonly<Record<string, unknown>>): boolean {
  const value = claims[issuer.startsWith(MICROSOFT) ? 'xms_edov' : 'email_verified'];
  return value === true || value === 'true' || value === 1;
}

function through(egress: Egress): CustomFetch {
  return async (url, { method, headers, body }) => {
    const text = body === undefined || body === null ? {} : { body: asText(body) };
    const asked = egress.request(url, { method, headers, ...text, maxBytes: LONGEST_ANSWER });
    const answer = await asked.catch((error: unknown) => {
      throw new OidcUnreachable('The identity provider is not responding', { cause: error });
    });
    if (answer.status >= 500) throw new OidcUnreachable(`The identity provider responded with ${answer.status}`);
    return new Response([204, 205, 304].includes(answer.status) ? null : answer.body, answer);
  };
}

function asText(body: unknown): string {
  if (typeof body === 'string' || body instanceof URLSearchParams) return String(body);
  throw new Error('Only text is sent to identity providers');
}

/** Maps every error to one of two: the provider is unreachable, or its response is refused. */
async function judged<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    for (let cause: unknown = error; cause instanceof Error; cause = cause.cause) {
      if (cause instanceof OidcUnreachable) throw cause;
    }
    throw new OidcRefused(error instanceof Error ? error.message : 'The identity provider was rejected', {
      cause: error,
    });
  }
}
