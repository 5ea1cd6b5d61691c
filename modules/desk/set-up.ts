// Set-up checklist: what a new installation needs before helping the first customer. Shown on the home page until
// complete.
import { z, type Context } from '@keelson/core';
import { Company, Employee, Technician } from '@keelson/modules/directory';
import { LevelCalendar } from '@keelson/modules/levels';
import { Mailbox } from '@keelson/modules/mailbox';
import { Branding, isRegionSet } from '@keelson/modules/system';
import { Ticket } from '@keelson/modules/tickets';
import { SetUpHidden } from './settings.ts';

export const setUpSteps = [
  'branding',
  'region',
  'hours',
  'mail',
  'mailbox',
  'technicians',
  'company',
  'contacts',
  'ticket',
] as const;

export const SetUp = z.object({
  /** Whether an administrator has hidden the checklist. */
  hidden: z.boolean(),
  /** In the recommended order. */
  steps: z.array(z.object({ step: z.enum(setUpSteps), done: z.boolean() })),
});

/** Returns which steps are done. One record suffices for each, even a deleted one. */
export async function readSetUp(ctx: Context): Promise<z.infer<typeof SetUp>> {
  const { mail, settings } = ctx.app;
  const { company_name } = await settings.get(ctx, Branding);
  const done: Record<(typeof setUpSteps)[number], boolean> = {
    branding: company_name !== '',
    region: await isRegionSet(ctx),
    hours: await ctx.db.existsBy(LevelCalendar, {}),
    mail: (await mail.state(ctx)) !== 'off',
    mailbox: await ctx.db.existsBy(Mailbox, {}),
    technicians: (await ctx.db.find(Technician, { take: 2 })).length > 1,
    company: await ctx.db.existsBy(Company, {}),
    contacts: await ctx.db.existsBy(Employee, {}),
    ticket: await ctx.db.existsBy(Ticket, {}),
  };
  const hidden = await settings.get(ctx, SetUpHidden);
  return { hidden, steps: setUpSteps.map((step) => ({ step, done: done[step] })) };
}

/** Hides the checklist from all administrators, or shows it again. */
export async function hideSetUp(ctx: Context, hidden: boolean): Promise<void> {
  const { before } = await ctx.app.settings.change(ctx, SetUpHidden, () => hidden);
  if (before === hidden) return;
  const description = hidden ? 'Set-up guide hidden' : 'Set-up guide shown again';
  ctx.record({ action: 'update', entity_type: 'setting', entity_id: SetUpHidden.name, description });
}
