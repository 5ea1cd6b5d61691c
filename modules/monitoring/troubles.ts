// Notifies administrators by mail when part of the installation fails.
import { IsNull, sendMail, type Context } from '@keelson/core';
import { readTroubles } from '@keelson/core/plugin';
import { Technician } from '@keelson/modules/directory';
import { TroubleMail } from './mail-templates.ts';
import { ToldTroubles } from './settings.ts';

/** Mails each administrator the failures since the last check. */
export async function tellTroubles(outside: Context<undefined>): Promise<void> {
  const troubles = await readTroubles(outside);
  const keyOf = ({ kind, name }: (typeof troubles)[number]) => `${kind} ${name}`.trim();
  await outside.transaction(async (ctx) => {
    const told = await ctx.app.settings.get(ctx, ToldTroubles);
    const keys = troubles.map(keyOf);
    if (keys.join() === told.join()) return;
    const { before } = await ctx.app.settings.change(ctx, ToldTroubles, () => keys);
    const fresh = troubles.filter((each) => !before.includes(keyOf(each)));
    if (fresh.length === 0) return;
    const data = { troubles: fresh.map(({ detail }) => detail).join('\n\n') };
    const administrators = { role: 'administrator', active: true, deleted_at: IsNull() } as const;
    for (const { name, email } of await ctx.db.findBy(Technician, administrators))
      sendMail(ctx, TroubleMail, { to: { name, address: email }, data });
  });
}
