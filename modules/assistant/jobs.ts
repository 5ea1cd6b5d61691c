import { job, plus, sql, dayOf, type Context } from '@keelson/core';

const KEPT = { days: -90 } as const;

export default [job('assistant.prune', '35 3 * * *', prune, { title: 'Delete old usage figures of the assistant' })];

async function prune({ app: { database }, now }: Context<undefined>): Promise<void> {
  await database.run(sql`DELETE FROM assistant_usage WHERE day < ${dayOf(plus(now, KEPT))}`);
}
