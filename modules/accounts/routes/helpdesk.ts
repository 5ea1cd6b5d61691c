import { anyone, flat, helpdesk, input, item, signedIn, z, type Context, type EmployeeActor } from '@keelson/core';
import { languageInput, LanguageShape } from '@keelson/core/plugin';
import { changeOwnLanguage, readOwnLanguage } from '@keelson/modules/directory';
import { deviceCookieOptions } from '../device.ts';
import { changePassword } from '../passwords/password.ts';
import { readProfile, updateProfile } from '../profile.ts';
import { COOKIE_PATH, deviceCookie, employeeCookie } from '../sessions/cookie.ts';
import { refreshSession } from '../sessions/refresh.ts';
import { COOKIE_SECONDS } from '../sessions/session-life.ts';
import { signInEmployee } from '../sessions/sign-in.ts';
import { signOut } from '../sessions/sign-out.ts';
import { Confirmation, Profile, Refreshed, SessionState, SignedIn } from '../shapes.ts';

const cookieOptions = { path: COOKIE_PATH, maxAgeSeconds: COOKIE_SECONDS } as const;

export default [
  helpdesk.post('/auth/login', {
    title: 'Sign in',
    operationId: 'signIn',
    access: anyone,
    body: z.object({
      username: input.text(254),
      password: input.secret(),
      otp: input.optional(input.text(20)),
      recovery_code: input.optional(input.text(100)),
    }),
    returns: flat(SignedIn),
    signedOutExtra: { mfa_required: true },
    slow: true,
    cookie: true,
    unlogged: true,
    handle: async (ctx, { body, http }) => {
      const devicesName = deviceCookie(ctx.app);
      const given = { ...body, devices: http.cookie(devicesName) };
      const { employee, company, cookie, devices, ...grant } = await signInEmployee(ctx, given);
      http.setCookie(employeeCookie(ctx.app), cookie, cookieOptions);
      http.setCookie(devicesName, devices, deviceCookieOptions);
      return { success: true, ...grant, user: { ...employee, company_name: company.customer } };
    },
  }),
  helpdesk.post('/auth/refresh', {
    title: 'Refresh the access token',
    operationId: 'refreshToken',
    access: anyone,
    body: z.object({ refresh_token: input.secret() }),
    returns: flat(Refreshed),
    slow: true,
    unlogged: true,
    handle: async (ctx, { body }) => ({ success: true, ...(await refreshSession(ctx, body)) }),
  }),
  helpdesk.get('/auth/session', {
    title: 'Read the current session',
    access: signedIn,
    returns: flat(SessionState),
    signedOutExtra: { authenticated: false },
    handle: (ctx) => ({ authenticated: true, user: ctx.actor }),
  }),
  helpdesk.post('/auth/logout', {
    title: 'Sign out',
    operationId: 'signOut',
    access: anyone,
    body: z.object({ refresh_token: input.clearable(input.secret()) }),
    returns: flat(Confirmation),
    unlogged: true,
    handle: async (ctx: Context<EmployeeActor | undefined>, { body, http }) => {
      await signOut(ctx, body);
      if (ctx.actor?.via === 'cookie') http.clearCookie(employeeCookie(ctx.app), COOKIE_PATH);
      return { success: true, message: 'Signed out' };
    },
  }),
  helpdesk.get('/auth/profile', {
    title: 'Read your profile',
    access: signedIn,
    returns: item(Profile),
    handle: (ctx) => readProfile(ctx),
  }),
  helpdesk.put('/auth/profile', {
    title: 'Update your profile',
    access: signedIn,
    body: input.changes({
      first_name: input.text(255),
      last_name: input.text(255),
      phone: input.phone(),
      mobile: input.phone(),
      title: input.optionalText(255),
    }),
    returns: item(Profile),
    slow: true,
    handle: (ctx, { body }) => updateProfile(ctx, body),
  }),
  helpdesk.get('/auth/language', {
    title: 'Read your language',
    addition: true,
    access: signedIn,
    returns: item(LanguageShape),
    handle: (ctx) => readOwnLanguage(ctx),
  }),
  helpdesk.put('/auth/language', {
    title: 'Set your language',
    addition: true,
    access: signedIn,
    body: languageInput(),
    returns: item(LanguageShape),
    handle: (ctx, { body }) => changeOwnLanguage(ctx, body),
  }),
  helpdesk.post('/auth/change-password', {
    title: 'Change your password',
    operationId: 'changePassword',
    access: signedIn,
    body: z.object({ current_password: input.secret(), new_password: input.secret() }),
    returns: flat(Confirmation),
    slow: true,
    handle: async (ctx, { body, http }) => {
      const devicesName = deviceCookie(ctx.app);
      const { cookie, devices } = await changePassword(ctx, { ...body, devices: http.cookie(devicesName) });
      if (ctx.actor.via === 'cookie') {
        http.setCookie(employeeCookie(ctx.app), cookie, cookieOptions);
        http.setCookie(devicesName, devices, deviceCookieOptions);
      }
      return { success: true, message: 'Password changed' };
    },
  }),
];
