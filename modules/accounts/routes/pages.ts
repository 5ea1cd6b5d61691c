import { anyone, input, page, pages, param, Problem, z, type Context } from '@keelson/core';
import type { TechnicianActor } from '@keelson/core/system';
import { readBranding } from '@keelson/modules/system';
import { COOKIE_PATH, technicianCookie } from '../sessions/cookie.ts';
import { doorsPage } from '../pages/doors.ts';
import { wordingOf } from '../pages/visitor.ts';
import { homePage, setUpPage, signInPage, voidLinkPage } from '../pages/pages.ts';
import { COOKIE_SECONDS } from '../sessions/session-life.ts';
import { isEmpty, isSetUpToken, setUp, SET_UP_PATH } from '../set-up.ts';
import { endTechnicianSession } from '../sessions/technician-session.ts';
import { isRequired, signInTechnician } from '../sessions/technician-sign-in.ts';
import { HOME, nextPage, withNext } from '../next.ts';
import { orRefusal } from './refusal.ts';
import { browserOf, secondStepPage, setSession } from './second-factor-pages.ts';

type Visitor = Context<TechnicianActor | undefined>;

const ACCOUNT = '/admin/account';
const SIGN_IN = '/admin/login';
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
        ? { html: homePage(await wordingOf(ctx, http), ctx.app.config.tenantName, ctx.actor) }
        : { location: SIGN_IN },
  }),
  pages.get(SIGN_IN, {
    title: 'Show the sign-in form',
    access: anyone,
    query: Next,
    returns: page(),
    handle: async (ctx: Visitor, { query, http }) => {
      const next = nextPage(query.next);
      if (ctx.actor) return { location: next };
      const { tenantName: tenant } = ctx.app.config;
      const wording = await wordingOf(ctx, http);
      return { html: signInPage({ wording, tenant, action: withNext(SIGN_IN, next), empty: await isEmpty(ctx) }) };
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
        const { tenantName: tenant } = ctx.app.config;
        const wording = await wordingOf(ctx, http);
        const action = withNext(SIGN_IN, next);
        return {
          status: 401,
          html: signInPage({ wording, tenant, action, email, error: wording.find(signedIn.message) }),
        };
      }
      if (!('cookie' in signedIn)) return secondStepPage(ctx, http, { due: signedIn, next });
      setSession(ctx, http, signedIn);
      return { location: next };
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
      if (cookie) await endTechnicianSession(ctx, cookie);
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
