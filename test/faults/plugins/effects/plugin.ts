// A plugin for the fault tests: each event must leave exactly one row, however often its delivery starts.
import { setTimeout as sleep } from 'node:timers/promises';
import { definePlugin, event, id, int, migration, subscriber, table, z } from '@keelson/core';

export const EffectWanted = event('effects.wanted', z.object({ n: z.int() }));

/** `n` is not unique, so that a duplicate effect shows. */
const Effect = table('effects_effect', { effect_id: id(), n: int(), made_by: int() });

/** Long enough to be killed in, short enough for SQLite's single writer. */
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
