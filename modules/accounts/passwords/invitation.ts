import { sendMail, type Context, type Row } from '@keelson/core';
import type { Spoken } from '@keelson/core/plugin';
import type { Technician } from '@keelson/modules/directory';
import { TechnicianInvitation } from '../mail-templates.ts';
import { createLink, technicianPerson } from './account-link.ts';

export const INVITATION_PATHS = { technician: '/admin/invitation', employee: '/helpdesk/invitation' } as const;

/** Mails a technician a link for choosing the first password, and voids earlier links. Runs in a transaction. */
export async function inviteTechnician(ctx: Context, technician: Row<typeof Technician>): Promise<void> {
  const { token, expires_at } = await createLink(ctx, technicianPerson(technician), 'invitation');
  sendMail(ctx, TechnicianInvitation, {
    to: { name: technician.name, address: technician.email },
    data: {
      invited_by: ctx.author.name,
      link: `${ctx.app.config.baseUrl}${INVITATION_PATHS.technician}?token=${token}`,
      valid_until: untilWhen(ctx, expires_at),
    },
  });
  ctx.record({
    action: 'update',
    entity_type: 'technician',
    entity_id: technician.user_id,
    description: `Technician ${technician.name} invited`,
  });
}

/** Formats an instant in the provider's time zone for a mail. */
export const untilWhen = ({ app }: Context, at: string): Spoken => ({ at, zone: app.zone.name });
