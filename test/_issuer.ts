// A real OpenID Connect server on this machine (oidc-provider) that signs people in without a prompt, and a forged one
// that returns whatever a test needs.
import { createSign, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { TestAnswer, TestApp } from '@keelson/testing';
import Provider from 'oidc-provider';

type Teardown = { teardown(work: () => unknown): void };

export const client = { id: 'keelson', secret: 'a secret of sixteen' };
export const redirectUri = 'http://127.0.0.1:3000/helpdesk/auth/oauth/callback';

/** The person who signs in, as the provider describes them. */
export interface Person {
  readonly sub: string;
  readonly email?: string;
  readonly email_verified?: boolean;
}

async function listen(t: Teardown, handle: RequestListener): Promise<string> {
  // Connections stay open: closing an idle one could meet its next use.
  const server = createServer({ keepAliveTimeout: 0 }, (request, response) => handle(request, response));
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

export interface Issuer {
  readonly url: string;
  /** The next person to sign in. */
  person: Person;
  /** Follows the redirects from the authorization URL back to the product; returns the final path and query. */
  visit(authorizationUrl: string): Promise<string>;
}

export async function startIssuer(t: Teardown, person: Person): Promise<Issuer> {
  let handle: RequestListener = () => undefined;
  const url = await listen(t, (request, response) => handle(request, response));
  const issuer: Issuer = { url, person, visit };
  const provider = new Provider(url, {
    clients: [{ client_id: client.id, client_secret: client.secret, redirect_uris: [redirectUri] }],
    findAccount: (_ctx: unknown, sub: string) => ({ accountId: sub, claims: () => ({ ...issuer.person, sub }) }),
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    features: { devInteractions: { enabled: false } },
    interactions: { url: () => '/sign-in' },
    cookies: { keys: ['only for tests'] },
    pkce: { required: () => true },
    loadExistingGrant: async (ctx: { oidc: { session: { accountId: string } } }) => {
      const grant = new provider.Grant({ accountId: ctx.oidc.session.accountId, clientId: client.id });
      grant.addOIDCScope('openid email profile');
      await grant.save();
      return grant;
    },
  });
  const callback = provider.callback();
  handle = (request, response) => {
    if (!request.url?.startsWith('/sign-in')) return callback(request, response);
    const login = { accountId: issuer.person.sub };
    provider.interactionFinished(request, response, { login }).catch((error) => response.destroy(error));
  };
  return issuer;
}

async function visit(authorizationUrl: string): Promise<string> {
  const cookies = new Map<string, string>();
  for (let at = authorizationUrl, i = 0; i < 10; i++) {
    const Cookie = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const answer = await fetch(at, { redirect: 'manual', headers: { Cookie } });
    for (const each of answer.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(each) ?? [];
      cookies.set(name, value);
    }
    const location = answer.headers.get('location');
    if (!location) throw new Error(`${at} responded ${answer.status}: ${await answer.text()}`);
    at = new URL(location, at).href;
    if (at.startsWith(redirectUri)) return at.slice(new URL(at).origin.length);
  }
  throw new Error('The provider did not redirect back');
}

export interface Forgery {
  /** Claims of the ID token that override valid ones; undefined omits a claim. */
  readonly claims?: Readonly<Record<string, unknown>>;
  readonly alg?: string;
  /** Signs with an unpublished key. */
  readonly foreignKey?: boolean;
  readonly userinfo?: Readonly<Record<string, unknown>>;
  /** Status of the token endpoint. */
  readonly status?: number;
}

export interface Forger {
  readonly url: string;
  /** Response to the next code exchange. */
  next: Forgery;
  /** Returns the number of token requests. */
  readonly asked: () => number;
}

/** Starts a provider whose ID token the test defines; the authorization code doubles as the nonce. */
export async function startForger(t: Teardown): Promise<Forger> {
  const [own, foreign] = [keys(), keys()];
  let asked = 0;
  const url = await listen(t, (request, response) => {
    const path = request.url ?? '';
    const send = (value: unknown, status = 200) => {
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(value));
    };
    if (path === '/.well-known/openid-configuration') return send(metadata(url));
    if (path === '/jwks') return send({ keys: [{ ...own.publicKey.export({ format: 'jwk' }), kid: 'k', use: 'sig' }] });
    if (path === '/userinfo') return send(forger.next.userinfo ?? {});
    asked++;
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      const { claims, alg = 'RS256', foreignKey, status = 200 } = forger.next;
      const nonce = new URLSearchParams(body).get('code');
      const now = Math.floor(Date.now() / 1000);
      const usual = { iss: url, aud: client.id, sub: 'forged', iat: now, exp: now + 60, nonce };
      const id_token = sign({ ...usual, ...claims }, alg, (foreignKey ? foreign : own).privateKey);
      send({ access_token: 'a', token_type: 'Bearer', expires_in: 60, id_token }, status);
    });
  });
  const forger: Forger = { url, next: {}, asked: () => asked };
  return forger;
}

function metadata(url: string) {
  return {
    issuer: url,
    authorization_endpoint: `${url}/authorize`,
    token_endpoint: `${url}/token`,
    userinfo_endpoint: `${url}/userinfo`,
    jwks_uri: `${url}/jwks`,
    response_types_supported: ['code'],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256', 'RS384', 'HS256', 'none'],
    code_challenge_methods_supported: ['S256'],
  };
}

const keys = () => generateKeyPairSync('rsa', { modulusLength: 2048 });

function sign(claims: object, alg: string, key: KeyObject): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const head = `${part({ alg, kid: 'k', typ: 'JWT' })}.${part(claims)}`;
  if (alg === 'none') return `${head}.`;
  return `${head}.${createSign(`RSA-SHA${alg.slice(2)}`)
    .update(head)
    .sign(key)
    .toString('base64url')}`;
}

/** Starts a sign-in; returns the redirect target and the cookie. */
export async function begin(app: TestApp, query = 'provider=okta'): Promise<{ url: URL; cookie: string }> {
  const answer = await app.request('GET', `/helpdesk/api/v1/auth/oauth/authorize?${query}`);
  if (answer.status !== 200) throw new Error(`authorize responded ${answer.status}: ${answer.text}`);
  return {
    url: new URL(answer.body.authorization_url),
    cookie: answer.headers.getSetCookie()[0]?.split(';')[0] ?? '',
  };
}

/** Runs a whole sign-in with the forger, which returns `forger.next`. */
export async function comeBack(app: TestApp): Promise<TestAnswer> {
  const { url, cookie } = await begin(app);
  const [code, state] = [url.searchParams.get('nonce') ?? '', url.searchParams.get('state') ?? ''];
  return app.request('GET', `/helpdesk/auth/oauth/callback?${new URLSearchParams({ code, state }).toString()}`, {
    cookie,
  });
}

/** Returns the outcome of a callback: the session cookie, or the error in the redirect. */
export function outcomeOf(answer: TestAnswer): { cookie: string } | { error: string | null } {
  const set = answer.headers.getSetCookie().find((each) => each.startsWith('HELPDESK_'));
  if (set) return { cookie: set.split(';')[0] ?? '' };
  return { error: new URL(answer.headers.get('location') ?? 'http://x').searchParams.get('error') };
}
