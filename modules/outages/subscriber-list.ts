// Who is told of a company's outages besides its managers and IT admins.
import { invalid, normalised, record, view } from '@keelson/core';
import { Company } from '@keelson/modules/directory';
import { OutageSubscriber } from './entities.ts';

export const OutageSubscribers = record(OutageSubscriber, {
  title: 'Subscriber',
  call: ({ email, company_number }) => `${email} of company ${company_number}`,
  taken: ({ email }) => `email ${email} already exists`,
  derive: ({ email }) => ({ email_key: normalised(email) }),
  async prepare(ctx, { company_number }) {
    const company = await ctx.db.one(Company, { company_number, deleted_at: null }, { lock: true });
    if (!company) throw invalid('company_number must be an existing company');
  },
});

export const SubscriberItem = view(OutageSubscribers);
