import { changeSetting, z, type Context } from '@keelson/core';
import { ContactsMoveAppointments } from './settings.ts';

export const SettingsShape = z.object({ contacts_move: z.boolean() });
type SettingsShape = z.infer<typeof SettingsShape>;

export async function readSettings(ctx: Context): Promise<SettingsShape> {
  return { contacts_move: await ctx.app.settings.get(ctx, ContactsMoveAppointments) };
}

/** Changes whether contacts can move appointments. Applies to appointments already made, too. */
export async function changeSettings(ctx: Context, wanted: Partial<SettingsShape>): Promise<SettingsShape> {
  const contacts_move = await changeSetting(ctx, ContactsMoveAppointments, {
    next: (known) => wanted.contacts_move ?? known,
    description: (after) => (after ? 'Contacts can move appointments' : 'Contacts can no longer move appointments'),
    field: 'contacts_move',
  });
  return { contacts_move };
}
