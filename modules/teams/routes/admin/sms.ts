import { admin, input, item, nothing, z } from '@keelson/core';
import { AdministratorSession, ReadSettings } from '@keelson/modules/system';
import { mobileField } from '../../members/fields.ts';
import { contentTypes } from '../../settings.ts';
import { changeGateway, GatewayShape, readGateway, removeGateway, sendTestText } from '../../sms/gateway.ts';

export default [
  admin.get('/teams/sms-gateway.php', {
    title: 'Read the SMS gateway',
    addition: true,
    access: ReadSettings,
    returns: item(GatewayShape),
    handle: (ctx) => readGateway(ctx),
  }),
  admin.put('/teams/sms-gateway.php', {
    title: 'Set the SMS gateway',
    addition: true,
    access: AdministratorSession,
    body: z.object({
      url: input.url(),
      content_type: input.choice(contentTypes),
      body: input.longText(2000),
      authorization: input.clearable(
        input.secret(1000).refine((text) => /^[\x20-\x7e]*$/.test(text), 'must be printable characters'),
      ),
    }),
    returns: item(GatewayShape),
    handle: async (ctx, { body }) => {
      await changeGateway(ctx, body);
      return readGateway(ctx);
    },
  }),
  admin.delete('/teams/sms-gateway.php', {
    title: 'Remove the SMS gateway',
    addition: true,
    access: AdministratorSession,
    returns: nothing(),
    handle: (ctx) => removeGateway(ctx),
  }),
  admin.post('/teams/sms-gateway.php?action=test', {
    title: 'Send a test text message',
    addition: true,
    access: AdministratorSession,
    body: z.object({ number: mobileField }),
    returns: nothing(),
    slow: true,
    unlogged: true,
    handle: (ctx, { body }) => sendTestText(ctx, body.number),
  }),
];
