// Who is told of a company's outages beside its managers and IT admins.
import { duplicate, DuplicateKey, invalid, normalised, notFound, type Context } from '@keelson/core';
import { Company } from '@keelson/modules/directory';
import { OutageSubscriber } from './entities.ts';

export function listSubscribers(ctx: Context, company_number: number): Promise<OutageSubscriber[]> {
  return ctx.db.find(OutageSubscriber, { company_number }, { order: [['email', 'ASC']] });
}

/** @throws invalid() for an unknown company, duplicate() when the address is there already */
export async function addSubscriber(
  ctx: Context,
  input: { readonly company_number: number; readonly email: string; readonly name?: string | undefined },
): Promise<OutageSubscriber> {
  const { company_number, email, name = '' } = input;
  const company = await ctx.db.one(Company, { company_number, deleted_at: null }, { lock: true });
  if (!company) throw invalid('company_number must be an existing company');
  const row = { company_number, name, email, email_key: normalised(email), created_at: ctx.now };
  const subscriber_id = await ctx.db.insert(OutageSubscriber, row).catch((error: unknown) => {
    throw error instanceof DuplicateKey ? duplicate(`email ${email} already exists`) : error;
  });
  const description = `${email} is told of outages of company ${company_number}`;
  ctx.record({ action: 'create', entity_type: 'outage_subscriber', entity_id: subscriber_id, description });
  return { ...row, subscriber_id };
}

/** @throws notFound() */
export async function findSubscriber(ctx: Context, subscriber_id: number): Promise<OutageSubscriber> {
  const found = await ctx.db.one(OutageSubscriber, { subscriber_id });
  if (!found) throw notFound('Subscriber');
  return found;
}

export async function removeSubscriber(ctx: Context, { subscriber_id, email }: OutageSubscriber): Promise<void> {
  await ctx.db.remove(OutageSubscriber, { subscriber_id });
  const description = `${email} is told of outages no more`;
  ctx.record({ action: 'delete', entity_type: 'outage_subscriber', entity_id: subscriber_id, description });
}
