import { admin, administrators, input, item, z } from '@keelson/core';
import { WriteSettings } from '@keelson/modules/system';
import { hideSetUp, readSetUp, SetUp } from '../../set-up.ts';

const Administer = administrators(WriteSettings);

export default [
  admin.get('/set-up.php', {
    title: 'Read the set-up checklist',
    addition: true,
    access: Administer,
    returns: item(SetUp),
    handle: (ctx) => readSetUp(ctx),
  }),
  admin.put('/set-up.php', {
    title: 'Hide the set-up checklist',
    addition: true,
    access: Administer,
    body: z.object({ hidden: input.flag() }),
    returns: item(SetUp),
    handle: async (ctx, { body: { hidden } }) => {
      await hideSetUp(ctx, hidden);
      return readSetUp(ctx);
    },
  }),
];
