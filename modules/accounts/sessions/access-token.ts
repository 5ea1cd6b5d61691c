import { perApp, type App, type Context } from '@keelson/core';
import { signAccess, tokenVerifier, type AccessClaims } from './token.ts';

const kept = perApp((app) => {
  const { baseUrl, tenantSlug: tenant } = app.config;
  const kid = app.vault.derive('access token key id', 4).toString('hex');
  const key = { kid, secret: app.vault.derive('access token') };
  return { key, verify: tokenVerifier({ baseUrl, tenant, keys: [key] }) };
});

export interface AccessGrant {
  readonly access_token: string;
  readonly token_type: 'Bearer';
  /** In seconds. */
  readonly expires_in: number;
}

/** Returns a token for a session. It names the person and the session, but no rights. */
export function grantAccess(ctx: Context, session: { session_id: number; employee_number: number }): AccessGrant {
  const { baseUrl, tenantSlug, accessTokenSeconds } = ctx.app.config;
  const access_token = signAccess(
    {
      baseUrl,
      tenant: tenantSlug,
      subject: String(session.employee_number),
      session: String(session.session_id),
      ttlSeconds: accessTokenSeconds,
      now: ctx.now,
    },
    kept(ctx.app).key,
  );
  return { access_token, token_type: 'Bearer', expires_in: accessTokenSeconds };
}

/** Returns the claims of a valid token, otherwise undefined. The session is checked separately. */
export function accessClaims(app: App, token: string): AccessClaims | undefined {
  return kept(app).verify(token, app.clock.now());
}
