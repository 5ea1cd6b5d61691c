import { anyone, flat, helpdesk, input, page, pages, param, z, type App, type Context } from '@keelson/core';
import type { Wording } from '@keelson/core/plugin';
import type { Http } from '@keelson/core/system';
import { IdentityProvider, identityProviders } from '@keelson/modules/system';
import { finishOauth, finishOauthWithCode } from '../oauth/oauth-sign-in.ts';
import { beginOauth, CALLBACK } from '../oauth/oauth.ts';
import { arrivedPage, codePage } from '../pages/second-factor-pages.ts';
import { wordingFor } from '../pages/visitor.ts';
import { providerName } from '../provider-name.ts';
import { COOKIE_PATH, deviceCookie, employeeCookie } from '../sessions/cookie.ts';
import { COOKIE_SECONDS } from '../sessions/session-life.ts';
import { orRefusal } from './refusal.ts';
import { browserOf, technicianPage } from './second-factor-pages.ts';

const CODE = '/helpdesk/auth/code';
export const ATTEMPT_SECONDS = 600;

/** The cookie that holds the secrets of a sign-in while the browser is at the provider. */
export const attemptCookie = ({ config }: App) =>
  `${config.baseUrl.startsWith('https:') ? '__Host-' : ''}OAUTH_${config.tenantSlug}`;

export default [
  helpdesk.get('/auth/oauth/providers', {
    title: 'List the identity providers',
    access: anyone,
    returns: flat(z.object({ success: z.boolean(), providers: z.array(IdentityProvider) })),
    handle: async (ctx) => ({ success: true, providers: await identityProviders(ctx) }),
  }),
  helpdesk.get('/auth/oauth/authorize', {
    title: 'Start sign-in with an identity provider',
    access: anyone,
    query: z.object({
      provider: param.required(param.text(40)),
      redirect_uri: param.text(1000),
      next: param.text(1000),
    }),
    returns: flat(
      z.object({ success: z.boolean(), provider: z.string(), authorization_url: z.string(), state: z.string() }),
    ),
    handle: async (ctx, { query, http }) => {
      const { sealed, ...begun } = await beginOauth(ctx, query);
      http.setCookie(attemptCookie(ctx.app), sealed, { path: COOKIE_PATH, maxAgeSeconds: ATTEMPT_SECONDS });
      return { success: true, ...begun };
    },
  }),
  pages.get(CALLBACK, {
    title: 'Return from an identity provider',
    access: anyone,
    query: z.object({
      code: param.text(4000),
      state: param.text(200),
      iss: param.text(1000),
      error: param.text(200),
    }),
    returns: page(),
    unlogged: true,
    handle: async (ctx, { query, http }) => {
      const name = attemptCookie(ctx.app);
      const result = await finishOauth(ctx, { ...query, sealed: http.cookie(name) }, browserOf(ctx, http));
      http.clearCookie(name, COOKIE_PATH);
      if ('technician' in result) return technicianPage(ctx, http, result.technician, result.next);
      if ('pending' in result)
        return { html: await codePageOf(ctx, await wordingFor(ctx, http), { pending: result.pending }) };
      if ('cookie' in result) setSession(ctx.app, http, result.cookie);
      return { location: result.location };
    },
  }),
  pages.post(CODE, {
    title: 'Submit the second factor after an identity provider',
    access: anyone,
    body: z.object({ pending: input.secret(4000), code: input.text(100) }),
    returns: page(),
    slow: true,
    cookie: true,
    unlogged: true,
    handle: async (ctx, { body, http }) => {
      const devices = http.cookie(deviceCookie(ctx.app));
      const done = await orRefusal(finishOauthWithCode(ctx, { ...body, devices }));
      const wording = await wordingFor(ctx, http);
      if (done instanceof Error) {
        const error = wording.find(done.message);
        return { status: 401, html: await codePageOf(ctx, wording, { pending: body.pending, error }) };
      }
      setSession(ctx.app, http, done.cookie);
      return { html: arrivedPage(wording, await providerName(ctx), done.location) };
    },
  }),
];

async function codePageOf(
  ctx: Context,
  wording: Wording,
  { pending, error }: { readonly pending: string; readonly error?: string },
): Promise<string> {
  return codePage({ wording, tenant: await providerName(ctx), action: CODE, pending, error });
}

function setSession(app: App, http: Http, cookie: string): void {
  http.setCookie(employeeCookie(app), cookie, { path: COOKIE_PATH, maxAgeSeconds: COOKIE_SECONDS });
}
