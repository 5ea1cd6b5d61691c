// What a new installation still needs before the first customer can be helped; shown on home until it is done.
import { z, type Context } from '@keelson/core';
import { Company, Employee, Technician } from '@keelson/modules/directory';
import { Mailbox } from '@keelson/modules/mailbox';
import { Branding } from '@keelson/modules/system';
import { Ticket } from '@keelson/modules/tickets';
import { SetUpHidden } from './settings.ts';

export const setUpSteps = ['branding', 'mail', 'mailbox', 'technicians', 'company', 'contacts', 'ticket'] as const;

export const SetUp = z.object({
  /** An administrator wants to see it no more. */
  hidden: z.boolean(),
  /** In the order in which they are best done. */
  steps: z.array(z.object({ step: z.enum(setUpSteps), done: z.boolean() })),
});

/** Which steps are done. Somebody is enough for each: what was deleted since counts, too. */
export async function readSetUp(ctx: Context): Promise<z.infer<typeof SetUp>> {
  const { mail, settings } = ctx.app;
  const { company_name } = await settings.get(ctx, Branding);
  const done: Record<(typeof setUpSteps)[number], boolean> = {
    branding: company_name !== '',
    mail: (await mail.state(ctx)) !== 'off',
    mailbox: (await ctx.db.find(Mailbox, {}, { limit: 1 })).length > 0,
    technicians: (await ctx.db.find(Technician, {}, { limit: 2 })).length > 1,
    company: (await ctx.db.find(Company, {}, { limit: 1 })).length > 0,
    contacts: (await ctx.db.find(Employee, {}, { limit: 1 })).length > 0,
    ticket: (await ctx.db.find(Ticket, {}, { limit: 1 })).length > 0,
  };
  const hidden = await settings.get(ctx, SetUpHidden);
  return { hidden, steps: setUpSteps.map((step) => ({ step, done: done[step] })) };
}

/** Hides the steps from all administrators, or shows them again. */
export async function hideSetUp(ctx: Context, hidden: boolean): Promise<void> {
  const { before } = await ctx.app.settings.change(ctx, SetUpHidden, () => hidden);
  if (before === hidden) return;
  const description = hidden ? 'Set-up guide hidden' : 'Set-up guide shown again';
  ctx.record({ action: 'update', entity_type: 'setting', entity_id: SetUpHidden.name, description });
}
