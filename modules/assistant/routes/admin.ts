import { admin, input, item, nothing, z } from '@keelson/core';
import { AdministratorSession, ReadSettings } from '@keelson/modules/system';
import { changeModel, ModelShape, readModel, removeModel, tryModelInUse } from '../model/service.ts';

/** Must not have a query string, because paths are appended. */
const base_url = input.url().refine((text) => {
  const at = URL.parse(text);
  return at !== null && !at.username && !at.password && !at.search && !at.hash;
}, 'must be a URL such as https://api.example.com/v1, without user, query or fragment');

export default [
  admin.get('/assistant/model.php', {
    title: 'Read the language model',
    addition: true,
    access: ReadSettings,
    returns: item(ModelShape),
    handle: (ctx) => readModel(ctx),
  }),
  admin.put('/assistant/model.php', {
    title: 'Set the language model',
    addition: true,
    access: AdministratorSession,
    body: z.object({
      base_url,
      model: input.text(200),
      api_key: input
        .secret(400)
        .refine((key) => /^[\x21-\x7e]*$/.test(key), 'must be printable characters without spaces')
        .optional(),
    }),
    returns: item(ModelShape),
    slow: true,
    handle: async (ctx, { body }) => {
      await changeModel(ctx, body);
      return readModel(ctx);
    },
  }),
  admin.delete('/assistant/model.php', {
    title: 'Remove the language model',
    addition: true,
    access: AdministratorSession,
    returns: nothing(),
    handle: (ctx) => removeModel(ctx),
  }),
  admin.post('/assistant/model.php?action=test', {
    title: 'Ask the language model a test question',
    addition: true,
    access: AdministratorSession,
    returns: item(z.object({ answer: z.string() })),
    slow: true,
    unlogged: true,
    handle: (ctx) => tryModelInUse(ctx),
  }),
];
