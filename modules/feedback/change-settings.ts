import { z, type Context } from '@keelson/core';
import { changesBetween } from '@keelson/core/log';
import { AskForRatings } from './settings.ts';

export const SettingsShape = z.object({ ask: z.boolean() });
type SettingsShape = z.infer<typeof SettingsShape>;

export async function readSettings(ctx: Context): Promise<SettingsShape> {
  return { ask: await ctx.app.settings.get(ctx, AskForRatings) };
}

/** Changes whether closing mails ask for a rating. Applies to tickets closed from now on. */
export async function changeSettings(ctx: Context, wanted: Partial<SettingsShape>): Promise<SettingsShape> {
  const { before, after } = await ctx.app.settings.change(ctx, AskForRatings, (known) => wanted.ask ?? known);
  const changes = changesBetween({ ask: before }, { ask: after });
  const description = after ? 'Closing mails ask for a rating' : 'Closing mails no longer ask for a rating';
  if (before !== after)
    ctx.record({ action: 'update', entity_type: 'setting', entity_id: AskForRatings.name, description, changes });
  return { ask: after };
}
