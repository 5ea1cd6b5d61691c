import { z, type Context } from '@keelson/core';
import { changesBetween } from '@keelson/core/log';
import { ContactsMoveAppointments } from './settings.ts';

export const SettingsShape = z.object({ contacts_move: z.boolean() });
type SettingsShape = z.infer<typeof SettingsShape>;

export async function readSettings(ctx: Context): Promise<SettingsShape> {
  return { contacts_move: await ctx.app.settings.get(ctx, ContactsMoveAppointments) };
}

/** Changes whether contacts can move appointments. Applies to appointments already made, too. */
export async function changeSettings(ctx: Context, wanted: Partial<SettingsShape>): Promise<SettingsShape> {
  const { before, after } = await ctx.app.settings.change(
    ctx,
    ContactsMoveAppointments,
    (known) => wanted.contacts_move ?? known,
  );
  const changes = changesBetween({ contacts_move: before }, { contacts_move: after });
  const description = after ? 'Contacts can move appointments' : 'Contacts can no longer move appointments';
  const entity_id = ContactsMoveAppointments.name;
  if (before !== after) ctx.record({ action: 'update', entity_type: 'setting', entity_id, description, changes });
  return { contacts_move: after };
}
