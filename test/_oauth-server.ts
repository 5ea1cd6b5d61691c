// An authorization server that behaves like Microsoft's and Google's: codes are valid once and only with their PKCE
// verifier, access tokens expire, and each refresh token is replaced when it is used.
import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export const client = { client_id: 'keelson-client', client_secret: 'the secret of the client', tenant: 'acme-tenant' };

interface Grant {
  readonly email: string;
  readonly scope: string;
}

export interface OAuthServer {
  readonly url: string;
  /** Consents as a person does in the browser; returns the redirect URL. */
  consent(authorizationUrl: string, email: string): Promise<URL>;
  /** Signs someone in without consent; returns the tokens. */
  grant(grant: Grant): { access_token: string; refresh_token: string; expires_in: number };
  /** Returns the owner of an access token; undefined if it is expired or unknown. */
  holderOf(token: string): Grant | undefined;
  /** Expires all access tokens. */
  expireAccess(): void;
  /** Revokes all refresh tokens, as a password change does. */
  revoke(): void;
  /** Fails the next token requests with a status. */
  failing: number | undefined;
  /** Number of refreshes. */
  readonly refreshes: () => number;
  stop(): Promise<void>;
}

export async function startOAuthServer(): Promise<OAuthServer> {
  const codes = new Map<string, Grant & { challenge: string; redirect_uri: string }>();
  const access = new Map<string, Grant>();
  const refresh = new Map<string, Grant>();
  let refreshes = 0;
  const issue = (grant: Grant) => {
    const [access_token, refresh_token] = [`access-${randomUUID()}`, `refresh-${randomUUID()}`];
    access.set(access_token, grant);
    refresh.set(refresh_token, grant);
    return { token_type: 'Bearer', access_token, refresh_token, expires_in: 3600, scope: grant.scope };
  };
  const token = (given: URLSearchParams): [number, object] => {
    if (oauth.failing !== undefined) return [oauth.failing, { error: 'temporarily_unavailable' }];
    const of = (name: string) => given.get(name) ?? '';
    if (of('client_id') !== client.client_id || of('client_secret') !== client.client_secret)
      return [401, { error: 'invalid_client', error_description: 'AADSTS7000215: Invalid client secret provided.' }];
    if (of('grant_type') === 'refresh_token') {
      const grant = refresh.get(of('refresh_token'));
      if (!grant)
        return [400, { error: 'invalid_grant', error_description: 'AADSTS70008: The refresh token has expired.' }];
      refresh.delete(of('refresh_token'));
      refreshes++;
      return [200, issue(grant)];
    }
    const code = codes.get(of('code'));
    codes.delete(of('code'));
    const challenge = createHash('sha256').update(of('code_verifier')).digest('base64url');
    if (!code || code.challenge !== challenge || code.redirect_uri !== of('redirect_uri'))
      return [400, { error: 'invalid_grant', error_description: 'The code is not valid.' }];
    return [200, issue({ email: code.email, scope: code.scope })];
  };
  const server = createServer((request, response) => {
    void answer(request, response).catch((error: unknown) => response.destroy(error as Error));
  });
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const url = new URL(request.url ?? '/', 'http://oauth.example');
    const send = (status: number, body: object) =>
      response.writeHead(status, { 'Content-Type': 'application/json' }).end(JSON.stringify(body));
    if (url.pathname === '/introspect') {
      const bearer = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
      const grant = access.get(bearer);
      return grant ? send(200, { active: true, email: grant.email }) : send(401, { active: false });
    }
    if (request.method === 'GET' && url.searchParams.has('redirect_uri')) {
      const accepted = await oauth.consent(url.href, url.searchParams.get('login_hint') ?? '');
      const denied = new URL(accepted);
      denied.search = new URLSearchParams({
        error: 'access_denied',
        error_description: 'AADSTS65004: User declined to consent to access the app.',
        state: url.searchParams.get('state') ?? '',
      }).toString();
      const page = `<title>Consent</title><a href="${accepted.href}">Accept</a> <a href="${denied.href}">Cancel</a>`;
      return response.writeHead(200, { 'Content-Type': 'text/html' }).end(page.replaceAll('&', '&amp;'));
    }
    const paths = [`/${client.tenant}/oauth2/v2.0/token`, '/token'];
    if (request.method !== 'POST' || !paths.includes(url.pathname)) return send(404, { error: 'not_found' });
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    return send(...token(new URLSearchParams(Buffer.concat(chunks).toString())));
  };
  // Dovecot fails if a connection is closed just as it is used again.
  server.keepAliveTimeout = 0;
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const oauth: OAuthServer = {
    url,
    failing: undefined,
    refreshes: () => refreshes,
    consent(authorizationUrl, email) {
      const asked = new URL(authorizationUrl);
      const of = (name: string) => asked.searchParams.get(name) ?? '';
      const paths = [`/${client.tenant}/oauth2/v2.0/authorize`, '/o/oauth2/v2/auth'];
      if (!paths.includes(asked.pathname)) throw new Error(`${asked.pathname} is not an authorization endpoint`);
      if (of('client_id') !== client.client_id || of('response_type') !== 'code') throw new Error('invalid_request');
      if (of('code_challenge_method') !== 'S256' || of('state') === '') throw new Error('PKCE and state are required');
      const code = `code-${randomUUID()}`;
      const redirect_uri = of('redirect_uri');
      codes.set(code, { email, scope: of('scope'), challenge: of('code_challenge'), redirect_uri });
      const back = new URL(redirect_uri);
      back.search = new URLSearchParams({ code, state: of('state') }).toString();
      return Promise.resolve(back);
    },
    grant: (given) => issue(given),
    holderOf: (token) => access.get(token),
    expireAccess: () => access.clear(),
    revoke() {
      access.clear();
      refresh.clear();
    },
    async stop() {
      server.closeAllConnections();
      await new Promise((done) => server.close(done));
    },
  };
  return oauth;
}
