// Subscribers to a company's outages, in addition to its managers and IT admins.
import { normalised, record, view } from '@keelson/core';
import { holdCompany } from '@keelson/modules/directory';
import { OutageSubscriber } from '../entities.ts';

export const OutageSubscribers = record(OutageSubscriber, {
  title: 'Subscriber',
  call: ({ email, company_number }) => `${email} of company ${company_number}`,
  taken: ({ email }) => `email ${email} already exists`,
  derive: ({ email }) => ({ email_key: normalised(email) }),
  async prepare(ctx, { company_number }) {
    await holdCompany(ctx, company_number);
  },
});

export const SubscriberItem = view(OutageSubscribers);
