import { changeSetting, z, type Context } from '@keelson/core';
import { AskForRatings } from './settings.ts';

export const SettingsShape = z.object({ ask: z.boolean() });
type SettingsShape = z.infer<typeof SettingsShape>;

export async function readSettings(ctx: Context): Promise<SettingsShape> {
  return { ask: await ctx.app.settings.get(ctx, AskForRatings) };
}

/** Changes whether closing mails ask for a rating. Applies to tickets closed from now on. */
export async function changeSettings(ctx: Context, wanted: Partial<SettingsShape>): Promise<SettingsShape> {
  const ask = await changeSetting(ctx, AskForRatings, {
    next: (known) => wanted.ask ?? known,
    description: (after) => (after ? 'Closing mails ask for a rating' : 'Closing mails no longer ask for a rating'),
    field: 'ask',
  });
  return { ask };
}
