import { anyone, file, input, pages, param, z } from '@keelson/core';
import { Notification, NOTIFICATIONS, takeNotifications } from '../servers/notifications.ts';

const MOST = 1000;

export default [
  pages.post(NOTIFICATIONS, {
    title: 'Receive Microsoft’s notifications of new mail',
    access: anyone,
    query: z.object({ id: param.required(param.id()), validationToken: param.text(2000) }),
    body: z.object({ value: input.optional(z.array(Notification).max(MOST)) }),
    returns: file('text/plain'),
    unlogged: true,
    handle: async (ctx, { query: { id, validationToken }, body }) => {
      // With a token, Microsoft checks that we own the address: it expects the token back. Genuine and invented
      // notifications get the same response.
      if (validationToken === undefined) await takeNotifications(ctx, id, body.value ?? []);
      return { name: 'validation.txt', type: 'text/plain', body: validationToken ?? '' };
    },
  }),
];
