import { admin, input, item, nothing, z } from '@keelson/core';
import {
  changeMailServer,
  MailServerShape,
  readMailServer,
  removeMailServer,
  tryMail,
} from '../../mail/mail-server.ts';
import { AdministratorSession, ReadSettings } from '../../permissions.ts';
import { securities } from '../../settings.ts';

const HOST = /^(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.?)+$|^[0-9a-f:]{2,45}$/iu;
const host = z.string().trim().max(253).regex(HOST, 'must be a host name or IP address');

export default [
  admin.get('/settings/mail-server.php', {
    title: 'Read the mail server',
    addition: true,
    access: ReadSettings,
    returns: item(MailServerShape),
    handle: (ctx) => readMailServer(ctx),
  }),
  admin.put('/settings/mail-server.php', {
    title: 'Set the mail server',
    addition: true,
    access: AdministratorSession,
    body: z.object({
      host,
      port: input.int(1, 65_535),
      security: input.choice(securities),
      username: input.optionalText(255),
      password: input.secret(1000).optional(),
      from_address: input.email(),
      from_name: input.optionalText(120),
    }),
    returns: item(MailServerShape),
    slow: true,
    handle: async (ctx, { body: { username, from_name, ...body } }) => {
      await changeMailServer(ctx, { ...body, username: username ?? '', from_name: from_name ?? '' });
      return readMailServer(ctx);
    },
  }),
  admin.delete('/settings/mail-server.php', {
    title: 'Remove the mail server',
    addition: true,
    access: AdministratorSession,
    returns: nothing(),
    handle: (ctx) => removeMailServer(ctx),
  }),
  admin.post('/settings/mail-server.php?action=test', {
    title: 'Send a test mail',
    addition: true,
    access: AdministratorSession,
    body: z.object({ to: input.email() }),
    returns: item(z.object({ sent_to: z.string() })),
    slow: true,
    unlogged: true,
    handle: (ctx, { body: { to } }) => tryMail(ctx, to),
  }),
];
