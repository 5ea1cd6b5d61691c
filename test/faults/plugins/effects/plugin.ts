// A plugin for the fault tests: each event shall leave exactly one row, however often its delivery was begun.
import { setTimeout as sleep } from 'node:timers/promises';
import { definePlugin, event, id, int, migration, subscriber, table, z } from '@keelson/core';

export const EffectWanted = event('effects.wanted', z.object({ n: z.int() }));

/** Not unique by `n`: a second effect must show. */
const Effect = table('effects_effect', { effect_id: id(), n: int(), made_by: int() });

/** Long enough to be killed in, short enough for the one writer of SQLite. */
const WORK_MS = { mysql: 20, sqlite: 4 };

export default definePlugin({
  id: 'effects',
  title: 'Effects',
  version: '1.0.0',
  entities: [Effect],
  events: [EffectWanted],
  migrations: [
    migration('1795262400000-effects', async (m) => {
      await m.createTable('effects_effect', { effect_id: id(), n: int(), made_by: int() });
    }),
  ],
  subscribers: [
    subscriber('effects.make', EffectWanted, async (ctx, { data: { n } }) => {
      await ctx.db.insert(Effect, { n, made_by: process.pid });
      await sleep(WORK_MS[ctx.db.dialect]);
    }),
  ],
});
