import { IsNull, normalised, type Context, type Row } from '@keelson/core';
import { worded } from '@keelson/core/plugin';
import { Company, Employee, tellEmployee } from '@keelson/modules/directory';
import { providerBounds, type ProviderBounds, type ProviderKey } from '@keelson/modules/system';
import { LinkedIdentity } from '../entities.ts';
import { domainOf, googleOwns, isOutside, NOT_GOOGLES, OUTSIDE, sameMailbox } from './bounds.ts';
import type { OidcPerson } from './oidc.ts';

type EmployeeRow = Row<typeof Employee>;

/**
 * Finds the active employee, at an active company, for a provider identity: the linked employee, or at the first
 * sign-in the one whose address the provider has verified. Otherwise returns the reason, for the log. Runs in a
 * transaction.
 */
export async function employeeOf(
  ctx: Context,
  provider: ProviderKey,
  person: OidcPerson,
): Promise<EmployeeRow | string> {
  const { issuer, subject } = person;
  const link = await ctx.db.findOne(LinkedIdentity, {
    where: { issuer, subject },
    lock: { mode: 'pessimistic_write' },
  });
  const linked =
    link && (await ctx.db.findOneBy(Employee, { employee_number: link.employee_number, deleted_at: IsNull() }));
  if (!link || !linked) {
    // A person who was deleted and created again as a new employee is linked again.
    if (link) await ctx.db.delete(LinkedIdentity, { identity_id: link.identity_id });
    return linkByEmail(ctx, provider, person);
  }
  if (!(await mayUse(ctx, linked))) return 'the employee or the company is inactive';
  // The link may be older than the restriction.
  const bounds = await providerBounds(ctx, provider);
  if (isForeign(bounds, linked.company_number)) return FOREIGN;
  if (isOutside(bounds, domainOf(linked.email))) return OUTSIDE;
  await ctx.db.update(LinkedIdentity, { identity_id: link.identity_id }, { last_used_at: ctx.now });
  return linked;
}

async function linkByEmail(
  ctx: Context,
  provider: ProviderKey,
  { issuer, subject, verifiedEmail, hostedDomain }: OidcPerson,
): Promise<EmployeeRow | string> {
  if (verifiedEmail === undefined) return 'the provider has not verified the address';
  const employee = await ctx.db.findOneBy(Employee, { email_key: normalised(verifiedEmail), deleted_at: IsNull() });
  const isTheirs = employee !== null && sameMailbox(employee.email, verifiedEmail);
  if (!isTheirs || !(await mayUse(ctx, employee))) return 'no active employee has the address';
  const { employee_number, company_number } = employee;
  const refusal = await unbound(ctx, provider, { company_number, domain: domainOf(verifiedEmail), hostedDomain });
  if (refusal !== undefined) return refusal;
  // The provider has reassigned the address to another person.
  const other = await ctx.db.findOne(LinkedIdentity, {
    where: { employee_number, issuer },
    lock: { mode: 'pessimistic_write' },
  });
  if (other) return 'the employee is linked to another account at this provider';
  const times = { created_at: ctx.now, last_used_at: ctx.now };
  await ctx.db.insert(LinkedIdentity, { employee_number, issuer, subject, ...times });
  ctx.record({
    action: 'update',
    entity_type: 'contact',
    entity_id: employee_number,
    description: `Linked to an account at ${provider}`,
  });
  tellEmployee(
    ctx,
    employee,
    worded('Your account was linked to {provider}. You can now sign in with it.', { provider }),
  );
  return employee;
}

interface Claimed {
  readonly company_number: number;
  readonly domain: string;
  readonly hostedDomain: string | undefined;
}

const FOREIGN = 'the provider is not allowed for this company';

const isForeign = ({ companies }: ProviderBounds, company_number: number): boolean =>
  companies.length > 0 && !companies.includes(company_number);

/**
 * Returns the reason why the provider may not vouch for this address, or undefined when it may. Without this check, the
 * administrator of one customer's provider could assert any address at another customer and sign in as its owner.
 */
async function unbound(ctx: Context, provider: ProviderKey, { company_number, domain, hostedDomain }: Claimed) {
  const bounds = await providerBounds(ctx, provider);
  if (isForeign(bounds, company_number)) return FOREIGN;
  const { domains, companies, proves } = bounds;
  if (domains.length > 0) return isOutside(bounds, domain) ? OUTSIDE : undefined;
  if (companies.length > 0) return undefined;
  if (!proves) return 'the provider has no companies or domains configured';
  return googleOwns(provider, domain, hostedDomain) ? undefined : NOT_GOOGLES;
}

/** Returns true if the employee and the company are active. */
export async function mayUse(ctx: Context, { company_number, status }: EmployeeRow): Promise<boolean> {
  if (status !== 'Active') return false;
  const company = await ctx.db.findOneBy(Company, { company_number, status: 'active', deleted_at: IsNull() });
  return company !== null;
}
