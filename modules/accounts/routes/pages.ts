import { anyone, input, page, pages, param, Problem, z, type Context } from '@keelson/core';
import type { Wording } from '@keelson/core/plugin';
import type { TechnicianActor } from '@keelson/core/system';
import { identityProviders, readBranding } from '@keelson/modules/system';
import { HOME, nextPage, SIGN_IN, withNext } from '../next.ts';
import { beginStaffOauth } from '../oauth/oauth.ts';
import { doorsPage } from '../pages/doors.ts';
import { homePage, setUpPage, signInPage, voidLinkPage } from '../pages/pages.ts';
import { wordingOf } from '../pages/visitor.ts';
import { providerName } from '../provider-name.ts';
import { COOKIE_PATH, technicianCookie } from '../sessions/cookie.ts';
import { COOKIE_SECONDS } from '../sessions/session-life.ts';
import { signOutTechnician } from '../sessions/technician-session.ts';
import { isRequired, signInTechnician } from '../sessions/technician-sign-in.ts';
import { isEmpty, isSetUpToken, setUp, SET_UP_PATH } from '../set-up.ts';
import { attemptCookie, ATTEMPT_SECONDS } from './oauth.ts';
import { orRefusal } from './refusal.ts';
import { browserOf, technicianPage } from './second-factor-pages.ts';

type Visitor = Context<TechnicianActor | undefined>;

const ACCOUNT = '/admin/account';
const BY_PROVIDER = `${SIGN_IN}/provider`;
const Next = z.object({ next: param.text(1000) });
const cookieOptions = { path: COOKIE_PATH, maxAgeSeconds: COOKIE_SECONDS } as const;

export default [
  pages.get('/', {
    title: 'Show the entrances for customers and staff',
    access: anyone,
    returns: page(),
    handle: async (ctx, { http }) => {
      const wording = await wordingOf(ctx, http);
      const { company_name: name, logo_url } = await readBranding(ctx);
      return { html: doorsPage({ wording, name, logo_url, empty: await isEmpty(ctx) }) };
    },
  }),
  pages.get(ACCOUNT, {
    title: 'Show who is signed in',
    access: anyone,
    returns: page(),
    handle: async (ctx: Visitor, { http }) =>
      ctx.actor
        ? { html: homePage(await wordingOf(ctx, http), await providerName(ctx), ctx.actor) }
        : { location: SIGN_IN },
  }),
  pages.get(SIGN_IN, {
    title: 'Show the sign-in form',
    access: anyone,
    query: Next.extend({ error: param.text(40) }),
    returns: page(),
    handle: async (ctx: Visitor, { query, http }) => {
      const next = nextPage(query.next);
      if (ctx.actor) return { location: next };
      const wording = await wordingOf(ctx, http);
      const error = query.error === undefined ? undefined : providerError(wording, query.error);
      return { html: await signInForm(ctx, { wording, next, error }) };
    },
  }),
  pages.get(BY_PROVIDER, {
    title: 'Start a technician’s sign-in with an identity provider',
    access: anyone,
    query: Next.extend({ provider: param.required(param.text(40)) }),
    returns: page(),
    handle: async (ctx: Visitor, { query, http }) => {
      const next = nextPage(query.next);
      if (ctx.actor) return { location: next };
      const begun = await orRefusal(beginStaffOauth(ctx, { provider: query.provider, next }));
      if (begun instanceof Problem) {
        const wording = await wordingOf(ctx, http);
        return { status: 400, html: await signInForm(ctx, { wording, next, error: wording.find(begun.message) }) };
      }
      http.setCookie(attemptCookie(ctx.app), begun.sealed, { path: COOKIE_PATH, maxAgeSeconds: ATTEMPT_SECONDS });
      return { location: begun.authorization_url };
    },
  }),
  pages.post(SIGN_IN, {
    title: 'Sign a technician in',
    access: anyone,
    query: Next,
    body: z.object({ email: input.text(254), password: input.secret() }),
    returns: page(),
    slow: true,
    cookie: true,
    unlogged: true,
    handle: async (ctx: Visitor, { query, body: { email, password }, http }) => {
      const next = nextPage(query.next);
      const given = { username: email, password, ...browserOf(ctx, http) };
      const signedIn = await orRefusal(signInTechnician(ctx, given));
      if (signedIn instanceof Problem) {
        const wording = await wordingOf(ctx, http);
        const error = wording.find(signedIn.message);
        return { status: 401, html: await signInForm(ctx, { wording, next, email, error }) };
      }
      return technicianPage(ctx, http, signedIn, next);
    },
  }),
  pages.post('/admin/logout', {
    title: 'Sign a technician out',
    access: anyone,
    returns: page(),
    cookie: true,
    unlogged: true,
    handle: async (ctx: Visitor, { http }) => {
      const name = technicianCookie(ctx.app);
      const cookie = http.cookie(name);
      if (cookie) await signOutTechnician(ctx, cookie);
      http.clearCookie(name, COOKIE_PATH);
      return { location: SIGN_IN };
    },
  }),
  pages.get(SET_UP_PATH, {
    title: 'Show the form for the first administrator',
    access: anyone,
    query: z.object({ token: param.text(200) }),
    returns: page(),
    handle: async (ctx: Visitor, { query: { token = '' }, http }) => {
      const wording = await wordingOf(ctx, http);
      if (!(await isSetUpToken(ctx, token))) return { status: 404, html: voidLinkPage(wording) };
      return { html: setUpPage({ wording, token, minimum: ctx.app.config.passwordMinimum }) };
    },
  }),
  pages.post(SET_UP_PATH, {
    title: 'Create the first administrator',
    access: anyone,
    body: z.object({ token: input.secret(200), name: input.text(255), email: input.email(), password: input.secret() }),
    returns: page(),
    slow: true,
    cookie: true,
    handle: async (ctx: Visitor, { body, http }) => {
      const done = await orRefusal(setUp(ctx, body));
      if (typeof done === 'string') {
        // Signing in asks for a second factor; set-up does not.
        if (isRequired(ctx)) return { location: SIGN_IN };
        http.setCookie(technicianCookie(ctx.app), done, cookieOptions);
        return { location: HOME };
      }
      const wording = await wordingOf(ctx, http);
      if (done.kind === 'not-found') return { status: 404, html: voidLinkPage(wording) };
      const { token, name, email } = body;
      const minimum = ctx.app.config.passwordMinimum;
      return {
        status: 400,
        html: setUpPage({ wording, token, name, email, minimum, error: wording.find(done.message) }),
      };
    },
  }),
];

interface Shown {
  readonly wording: Wording;
  readonly next: string;
  readonly email?: string;
  readonly error?: string | undefined;
}

async function signInForm(ctx: Context, { next, ...shown }: Shown): Promise<string> {
  const providers = (await identityProviders(ctx, 'technician')).map(({ key, name }) => ({
    name,
    href: withNext(BY_PROVIDER, next, { provider: key }),
  }));
  const tenant = await providerName(ctx);
  return signInPage({ ...shown, tenant, action: withNext(SIGN_IN, next), providers, empty: await isEmpty(ctx) });
}

/** Returns what an OAuth error code means for a technician. */
function providerError({ t }: Wording, code: string): string {
  if (code === 'access_denied')
    return t('No technician can sign in with this account. Ask an administrator, or use your password.');
  if (code === 'temporarily_unavailable') return t('The identity provider is not responding: try again later');
  return t('The identity provider could not sign you in: try again, or use your password.');
}
