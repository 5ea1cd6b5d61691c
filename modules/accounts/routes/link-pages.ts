import { anyone, input, page, pages, param, Problem, z, type Context } from '@keelson/core';
import type { Http, TechnicianActor } from '@keelson/core/system';
import { deviceCookieOptions, rememberDevice, type DeviceOwner } from '../device.ts';
import { requestedPage, askPage, deadLinkPage, passwordPage, savedPage } from '../pages/link-pages.ts';
import { wordingFor } from '../pages/visitor.ts';
import { findLink, setPasswordByLink, type Person, type Purpose } from '../passwords/account-link.ts';
import { INVITATION_PATHS } from '../passwords/invitation.ts';
import { FORGOTTEN_PATHS, requestReset, resetPassword, RESET_PATHS } from '../passwords/password-reset.ts';
import { providerName } from '../provider-name.ts';
import { deviceCookie } from '../sessions/cookie.ts';
import { orRefusal } from './refusal.ts';

const SIGN_IN = { technician: '/admin/login', employee: '/helpdesk/sign-in' } as const;

type Visitor = Context<TechnicianActor | undefined>;

interface LinkKind {
  readonly kind: Person['kind'];
  readonly purpose: Purpose;
  readonly action: string;
}

const invitation = (kind: Person['kind']) => ({ kind, purpose: 'invitation', action: INVITATION_PATHS[kind] }) as const;
const reset = (kind: Person['kind']) => ({ kind, purpose: 'reset', action: RESET_PATHS[kind] }) as const;

export default [
  ...linkRoutes(invitation('technician'), 'an invited technician'),
  ...linkRoutes(invitation('employee'), 'an invited employee'),
  ...linkRoutes(reset('technician'), 'a technician resetting it'),
  ...linkRoutes(reset('employee'), 'an employee resetting it'),
  ...askRoutes('technician', 'a technician'),
  ...askRoutes('employee', 'an employee'),
];

function linkRoutes(link: LinkKind, whose: string) {
  return [
    pages.get(link.action, {
      title: `Show the form for the password of ${whose}`,
      access: anyone,
      query: z.object({ token: param.text(200) }),
      returns: page(),
      handle: (ctx: Visitor, { query: { token = '' }, http }) => showForm(ctx, http, { link, token }),
    }),
    pages.post(link.action, {
      title: `Set the password of ${whose}`,
      access: anyone,
      body: z.object({ token: input.secret(200), password: input.secret(), username: z.string().optional() }),
      returns: page(),
      slow: true,
      cookie: true,
      handle: async (ctx: Visitor, { body: { token, password }, http }) => {
        const { kind, purpose } = link;
        const work = purpose === 'reset' ? resetPassword : setPasswordByLink;
        const done = await orRefusal(work(ctx, { kind, purpose, token, password }));
        if (done instanceof Problem) return showForm(ctx, http, { link, token, error: done.message });
        // The link's owner has proved their identity, so wrong guesses by others must not lock them out.
        const name = deviceCookie(ctx.app);
        http.setCookie(name, rememberDevice(ctx, http.cookie(name), deviceOwner(done)), deviceCookieOptions);
        const wording = await wordingFor(ctx, http, speakerOf(done));
        return { html: savedPage(wording, await providerName(ctx), SIGN_IN[kind]) };
      },
    }),
  ];
}

function askRoutes(kind: Person['kind'], who: string) {
  const action = FORGOTTEN_PATHS[kind];
  return [
    pages.get(action, {
      title: `Show ${who} the password reset form`,
      access: anyone,
      returns: page(),
      handle: async (ctx: Visitor, { http }) => ({
        html: askPage({ wording: await wordingFor(ctx, http), tenant: await providerName(ctx), action }),
      }),
    }),
    pages.post(action, {
      title: `Send ${who} a password reset link`,
      access: anyone,
      body: z.object({ email: input.email() }),
      returns: page(),
      slow: true,
      cookie: true,
      unlogged: true,
      handle: async (ctx: Visitor, { body: { email }, http }) => {
        await requestReset(ctx, kind, email);
        return { html: requestedPage(await wordingFor(ctx, http), await providerName(ctx)) };
      },
    }),
  ];
}

function deviceOwner({ access_version, ...person }: Person): DeviceOwner {
  const id = person.kind === 'technician' ? person.user_id : person.employee_number;
  return { kind: person.kind, id, access_version };
}

const speakerOf = (person: Person) =>
  person.kind === 'technician' ? { user_id: person.user_id } : { employee_number: person.employee_number };

/** Returns the form, with any password error, or the page for an invalid link. */
async function showForm(
  ctx: Visitor,
  http: Http,
  { link, token, error }: { readonly link: LinkKind; readonly token: string; readonly error?: string },
) {
  const { passwordMinimum: minimum } = ctx.app.config;
  const tenant = await providerName(ctx);
  const { kind, purpose, action } = link;
  const found = await findLink(ctx, { token, purpose, kind });
  const wording = await wordingFor(ctx, http, found && speakerOf(found.person));
  if (!found)
    return {
      status: 404,
      html: deadLinkPage(wording, tenant, purpose === 'reset' ? FORGOTTEN_PATHS[kind] : undefined),
    };
  const { t } = wording;
  const heading = t(purpose === 'reset' ? 'Choose a new password' : 'Choose a password');
  const html = passwordPage({
    wording,
    tenant,
    heading,
    action,
    token,
    email: found.person.email,
    minimum,
    error: error && wording.find(error),
  });
  return error === undefined ? { html } : { status: 400, html };
}
