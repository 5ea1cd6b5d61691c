import { flat, helpdesk, input, signedIn, z, type EmployeeActor } from '@keelson/core';
import { sessionDevice } from '../device.ts';
import type { Owner } from '../factors/factor.ts';
import { qrCode } from '../factors/qr.ts';
import { beginFactor, disableFactor, enableFactor, factorState, renewRecoveryCodes } from '../factors/second-factor.ts';
import { requireOwnPassword } from '../passwords/own-password.ts';
import { Confirmation, SecondFactorState } from '../shapes.ts';

const NewKey = z.object({ success: z.boolean(), secret: z.string(), otpauth_uri: z.string(), qr_code: z.string() });
const RecoveryCodes = z.object({ success: z.boolean(), recovery_codes: z.array(z.string()) });
const code = { otp: input.optional(input.text(20)), recovery_code: input.optional(input.text(100)) };

export default [
  helpdesk.get('/auth/mfa', {
    title: 'Read your two-factor status',
    addition: true,
    access: signedIn,
    returns: flat(SecondFactorState),
    handle: (ctx) => factorState(ctx, ownerOf(ctx.actor)),
  }),
  helpdesk.post('/auth/mfa', {
    title: 'Start setting up two-factor authentication',
    operationId: 'startMfa',
    addition: true,
    access: signedIn,
    body: z.object({ current_password: input.secret() }),
    returns: flat(NewKey),
    slow: true,
    handle: async (ctx, { body }) => {
      await requireOwnPassword(ctx, ownerOf(ctx.actor), body.current_password);
      const key = await beginFactor(ctx, ownerOf(ctx.actor));
      const { text } = await qrCode(key.otpauth_uri);
      // A data URL, so that the image needs no further request.
      return { success: true, ...key, qr_code: `data:image/svg+xml;base64,${Buffer.from(text).toString('base64')}` };
    },
  }),
  helpdesk.post('/auth/mfa/confirm', {
    title: 'Finish setting up two-factor authentication',
    operationId: 'confirmMfa',
    addition: true,
    access: signedIn,
    body: z.object({ otp: input.text(20) }),
    returns: flat(RecoveryCodes),
    slow: true,
    handle: async (ctx, { body }) => ({
      success: true,
      recovery_codes: [...(await enableFactor(ctx, ownerOf(ctx.actor), body.otp))],
    }),
  }),
  helpdesk.post('/auth/mfa/recovery-codes', {
    title: 'Generate new recovery codes',
    operationId: 'createRecoveryCodes',
    addition: true,
    access: signedIn,
    body: z.object(code),
    returns: flat(RecoveryCodes),
    slow: true,
    handle: async (ctx, { body }) => ({
      success: true,
      recovery_codes: [...(await renewRecoveryCodes(ctx, ownerOf(ctx.actor), body))],
    }),
  }),
  helpdesk.post('/auth/mfa/disable', {
    title: 'Turn off your two-factor authentication',
    operationId: 'disableMfa',
    addition: true,
    access: signedIn,
    body: z.object({ current_password: input.secret(), ...code }),
    returns: flat(Confirmation),
    slow: true,
    handle: async (ctx, { body: { current_password, ...given } }) => {
      await requireOwnPassword(ctx, ownerOf(ctx.actor), current_password);
      await disableFactor(ctx, ownerOf(ctx.actor), given);
      return { success: true, message: 'Two-factor authentication is off' };
    },
  }),
];

function ownerOf(actor: EmployeeActor): Owner {
  const { employee_number, email } = actor;
  return { kind: 'employee', id: employee_number, account: email, device: sessionDevice(actor) };
}
