import { anyone, input, page, pages, param, Problem, z, type Context } from '@keelson/core';
import type { Http, TechnicianActor } from '@keelson/core/system';
import { deviceCookieOptions, sessionDevice } from '../device.ts';
import type { Owner } from '../factors/factor.ts';
import { givenCode } from '../factors/second-factor-check.ts';
import {
  beginFactor,
  disableFactor,
  enableFactor,
  factorState,
  renewRecoveryCodes,
  isPending,
} from '../factors/second-factor.ts';
import { nextPage, SIGN_IN, withNext } from '../next.ts';
import { codePage, factorPage, keyPage, recoveryCodesPage } from '../pages/second-factor-pages.ts';
import { wordingFor, wordingOf } from '../pages/visitor.ts';
import { requireOwnPassword } from '../passwords/own-password.ts';
import { providerName } from '../provider-name.ts';
import { COOKIE_PATH, deviceCookie, technicianCookie } from '../sessions/cookie.ts';
import { COOKIE_SECONDS } from '../sessions/session-life.ts';
import {
  requirePending,
  finishWithCode,
  finishWithEnrolment,
  isRequired,
  type Browser,
  type SignedInTechnician,
  type TechnicianSignIn,
} from '../sessions/technician-sign-in.ts';
import { orRefusal } from './refusal.ts';

type Visitor = Context<TechnicianActor | undefined>;

const CODE = '/admin/login/code';
const ENROL = '/admin/login/enrol';
const FACTOR = '/admin/second-factor';
const signedOut = { location: SIGN_IN };
const Next = z.object({ next: param.text(1000) });
const step = z.object({ pending: input.secret(4000), code: input.text(100) });

interface SecondStep {
  readonly due: Exclude<TechnicianSignIn, { cookie: string }>;
  readonly next: string;
}

async function secondStepPage(ctx: Context, http: Http, { due, next }: SecondStep) {
  const wording = await wordingFor(ctx, http);
  const tenant = await providerName(ctx);
  const { pending } = due;
  if (due.step === 'code') return { html: codePage({ wording, tenant, action: withNext(CODE, next), pending }) };
  return { html: await keyPage({ wording, tenant, action: withNext(ENROL, next), pending, key: due.key }) };
}

/** Returns the page after a technician's password or identity provider: the next step, or the page they wanted. */
export async function technicianPage(ctx: Context, http: Http, signIn: TechnicianSignIn, next: string) {
  if (!('cookie' in signIn)) return secondStepPage(ctx, http, { due: signIn, next });
  setSession(ctx, http, signIn);
  return { location: next };
}

export default [
  pages.post(CODE, {
    title: 'Submit the second factor',
    access: anyone,
    query: Next,
    body: step,
    returns: page(),
    slow: true,
    cookie: true,
    unlogged: true,
    handle: async (ctx: Visitor, { query, body: { pending, code }, http }) => {
      const next = nextPage(query.next);
      const done = await orRefusal(finishWithCode(ctx, { pending, code, ...browserOf(ctx, http) }));
      const tenant = await providerName(ctx);
      if (done instanceof Problem) {
        const wording = await wordingFor(ctx, http);
        return {
          status: 401,
          html: codePage({ wording, tenant, action: withNext(CODE, next), pending, error: wording.find(done.message) }),
        };
      }
      setSession(ctx, http, done);
      return { location: next };
    },
  }),
  pages.post(ENROL, {
    title: 'Set up required two-factor authentication',
    access: anyone,
    query: Next,
    body: step,
    returns: page(),
    slow: true,
    cookie: true,
    handle: async (ctx: Visitor, { query, body: { pending, code }, http }) => {
      const next = nextPage(query.next);
      const done = await orRefusal(finishWithEnrolment(ctx, { pending, code, ...browserOf(ctx, http) }));
      const tenant = await providerName(ctx);
      const wording = await wordingFor(ctx, http);
      if (!(done instanceof Problem)) {
        setSession(ctx, http, done);
        return { html: recoveryCodesPage(wording, { tenant, codes: done.codes, next }) };
      }
      await requirePending(ctx, pending);
      return {
        status: 400,
        html: await keyPage({
          wording,
          tenant,
          action: withNext(ENROL, next),
          pending,
          error: wording.find(done.message),
        }),
      };
    },
  }),
  pages.get(FACTOR, {
    title: 'Show your two-factor settings',
    access: anyone,
    returns: page(),
    handle: (ctx: Visitor, { http }) => (ctx.actor ? statePage(ctx, http, { actor: ctx.actor }) : signedOut),
  }),
  pages.post(`${FACTOR}/begin`, {
    title: 'Show the key for an authenticator app',
    access: anyone,
    body: z.object({ password: input.secret() }),
    returns: page(),
    slow: true,
    handle: async (ctx: Visitor, { body, http }) => {
      const { actor } = ctx;
      if (!actor) return signedOut;
      const checked = requireOwnPassword(ctx, ownerOf(actor), body.password);
      const key = await orRefusal(checked.then(() => beginFactor(ctx, ownerOf(actor))));
      if (key instanceof Problem) return statePage(ctx, http, { actor, error: key.message });
      return {
        html: await keyPage({
          wording: await wordingOf(ctx, http),
          tenant: await providerName(ctx),
          action: `${FACTOR}/confirm`,
          key,
        }),
      };
    },
  }),
  pages.post(`${FACTOR}/confirm`, {
    title: 'Confirm two-factor authentication',
    access: anyone,
    body: z.object({ code: input.text(100) }),
    returns: page(),
    slow: true,
    handle: async (ctx: Visitor, { body, http }) => {
      if (!ctx.actor) return signedOut;
      const owner = ownerOf(ctx.actor);
      const tenant = await providerName(ctx);
      const wording = await wordingOf(ctx, http);
      const codes = await orRefusal(enableFactor(ctx, owner, body.code));
      if (!(codes instanceof Problem)) return { html: recoveryCodesPage(wording, { tenant, codes }) };
      if (!(await isPending(ctx, owner))) return statePage(ctx, http, { actor: ctx.actor, error: codes.message });
      const action = `${FACTOR}/confirm`;
      return { status: 400, html: await keyPage({ wording, tenant, action, error: wording.find(codes.message) }) };
    },
  }),
  pages.post(`${FACTOR}/codes`, {
    title: 'Show new recovery codes',
    access: anyone,
    body: z.object({ code: input.text(100) }),
    returns: page(),
    slow: true,
    handle: async (ctx: Visitor, { body, http }) => {
      if (!ctx.actor) return signedOut;
      const codes = await orRefusal(renewRecoveryCodes(ctx, ownerOf(ctx.actor), givenCode(body.code)));
      if (codes instanceof Problem) return statePage(ctx, http, { actor: ctx.actor, error: codes.message });
      return { html: recoveryCodesPage(await wordingOf(ctx, http), { tenant: await providerName(ctx), codes }) };
    },
  }),
  pages.post(`${FACTOR}/off`, {
    title: 'Turn off two-factor authentication',
    access: anyone,
    body: z.object({ password: input.secret(), code: input.text(100) }),
    returns: page(),
    slow: true,
    handle: async (ctx: Visitor, { body: { password, code }, http }) => {
      const { actor } = ctx;
      if (!actor) return signedOut;
      if (isRequired(ctx)) return statePage(ctx, http, { actor, error: 'Two-factor authentication is required' });
      const checked = requireOwnPassword(ctx, ownerOf(actor), password);
      const done = await orRefusal(checked.then(() => disableFactor(ctx, ownerOf(actor), givenCode(code))));
      return statePage(ctx, http, { actor, error: done?.message });
    },
  }),
];

async function statePage(
  ctx: Visitor,
  http: Http,
  { actor, error }: { actor: TechnicianActor; error?: string | undefined },
) {
  const wording = await wordingOf(ctx, http);
  const tenant = await providerName(ctx);
  const state = await factorState(ctx, ownerOf(actor));
  const html = factorPage({ wording, tenant, state, required: isRequired(ctx), error: error && wording.find(error) });
  return { status: error === undefined ? 200 : 400, html };
}

/** Returns the browser's cookies before a sign-in. */
export function browserOf({ app }: Context, http: Http): Browser {
  return { previous: http.cookie(technicianCookie(app)), devices: http.cookie(deviceCookie(app)) };
}

function setSession({ app }: Context, http: Http, { cookie, devices }: SignedInTechnician): void {
  http.setCookie(technicianCookie(app), cookie, { path: COOKIE_PATH, maxAgeSeconds: COOKIE_SECONDS });
  http.setCookie(deviceCookie(app), devices, deviceCookieOptions);
}

function ownerOf(actor: TechnicianActor): Owner {
  const { user_id, email } = actor;
  return { kind: 'technician', id: user_id, account: email, device: sessionDevice(actor) };
}
