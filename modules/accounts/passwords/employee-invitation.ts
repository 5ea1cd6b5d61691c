// Gives a customer's employees access to the portal: a mailed link with which they choose their first password.
import { In, IsNull, MoreThan, sendMail, z, type Context } from '@keelson/core';
import { employeeName } from '@keelson/core/surfaces';
import { ImportRow, type ImportRun } from '@keelson/core/system';
import { Company, Employee } from '@keelson/modules/directory';
import { AccountLink, EmployeeSession, LinkedIdentity } from '../entities.ts';
import { EmployeeInvitation } from '../mail-templates.ts';
import { createLinks, employeePerson, LINKS_PER_HOUR, readEntitled, wereSentOften } from './account-link.ts';
import { INVITATION_PATHS, untilWhen } from './invitation.ts';

export const portalAccesses = ['none', 'invited', 'granted'] as const;

/** A person's access to the portal. */
export const PortalAccess = z.object({
  /** `invited` until the person chooses a password or links an identity provider. */
  access: z.enum(portalAccesses),
  invited_at: z.iso.datetime().nullable(),
  /** Expiry of the latest link; null when no link is valid. */
  invitation_expires_at: z.iso.datetime().nullable(),
  /** From the stored sessions. */
  last_signed_in_at: z.iso.datetime().nullable(),
});

export const Invitations = z.object({
  invited: z.array(
    z.object({
      employee_number: z.int(),
      email: z.string(),
      expires_at: z.iso.datetime(),
      /** To hand over in person if outgoing mail is disabled; null otherwise. */
      link: z.string().nullable(),
    }),
  ),
  skipped: z.array(z.object({ employee_number: z.int(), reason: z.string() })),
});

/** `next` is where the next call continues; null at the end. */
export const ImportInvitations = Invitations.extend({ next: z.int().nullable() });

/** Returns the portal access of an employee. */
export async function readPortalAccess(ctx: Context, employee: Employee): Promise<z.infer<typeof PortalAccess>> {
  const { employee_number, password_hash } = employee;
  const order = { created_at: 'DESC' } as const;
  const link = await ctx.db.findOne(AccountLink, { where: { employee_number, purpose: 'invitation' }, order });
  const session = await ctx.db.findOne(EmployeeSession, { where: { employee_number }, order });
  const identity = await ctx.db.findOneBy(LinkedIdentity, { employee_number });
  const works = link && link.used_at === null && link.expires_at > ctx.now && (await readEntitled(ctx, link));
  return {
    access: password_hash !== null || identity ? 'granted' : works ? 'invited' : 'none',
    invited_at: link?.created_at ?? null,
    invitation_expires_at: works ? link.expires_at : null,
    last_signed_in_at: session?.created_at ?? null,
  };
}

/**
 * Invites people to the portal, repeatedly if needed, and voids earlier links. Returns those who cannot be invited,
 * with the reason.
 * @param company_number the company they must belong to; any when absent
 */
export async function inviteEmployees(
  ctx: Context,
  {
    employee_numbers,
    company_number,
  }: { readonly employee_numbers: readonly number[]; readonly company_number?: number },
): Promise<z.infer<typeof Invitations>> {
  const found = await ctx.db.find(Employee, {
    where: {
      employee_number: In([...employee_numbers]),
      deleted_at: IsNull(),
      ...(company_number !== undefined && { company_number }),
    },
    lock: { mode: 'pessimistic_write' },
  });
  const companies = await ctx.db.findBy(Company, { company_number: In(found.map((each) => each.company_number)) });
  const active = new Set(companies.filter(({ status }) => status === 'active').map((each) => each.company_number));
  const employees = new Map(found.map((each) => [each.employee_number, each]));
  const often = await wereSentOften(ctx, found.map(employeePerson));
  const able: Employee[] = [];
  const skipped: z.infer<typeof Invitations>['skipped'] = [];
  for (const employee_number of new Set(employee_numbers)) {
    const employee = employees.get(employee_number);
    const reason = employee && whyNot(employee, active.has(employee.company_number), often.has(employee_number));
    if (!employee) skipped.push({ employee_number, reason: 'No such person' });
    else if (reason !== undefined) skipped.push({ employee_number, reason });
    else able.push(employee);
  }
  return { invited: await invite(ctx, able), skipped };
}

/** Maximum people invited per call. */
const AT_A_TIME = 100;

/** Invites the people created by an import, starting after `after`. */
export async function inviteImported(
  ctx: Context,
  { import_id, noun }: ImportRun,
  after = 0,
  company_number?: number,
): Promise<z.infer<typeof ImportInvitations>> {
  const rows =
    noun === 'contacts'
      ? await ctx.db.find(ImportRow, {
          where: { import_id, state: 'created', record_id: MoreThan(after) },
          order: { record_id: 'ASC' },
          take: AT_A_TIME,
        })
      : [];
  const employee_numbers = rows.map((each) => each.record_id);
  const done = await inviteEmployees(ctx, {
    employee_numbers,
    ...(company_number !== undefined && { company_number }),
  });
  return { ...done, next: rows.length < AT_A_TIME ? null : (employee_numbers.at(-1) ?? null) };
}

function whyNot(employee: Employee, companyActive: boolean, sentOften: boolean): string | undefined {
  const name = employeeName(employee);
  if (employee.password_hash !== null) return `${name} already has a password`;
  if (employee.status !== 'Active') return `${name} is not active`;
  if (!companyActive) return `${name}’s company is not active`;
  return sentOften ? `${name} has already been sent ${LINKS_PER_HOUR} links in the last hour` : undefined;
}

async function invite(ctx: Context, employees: readonly Employee[]): Promise<z.infer<typeof Invitations>['invited']> {
  const mailed = (await ctx.app.mail.server(ctx)) !== undefined;
  const links = await createLinks(ctx, employees.map(employeePerson), 'invitation');
  return links.map(({ person: { employee_number, name, email }, token, expires_at }) => {
    const link = `${ctx.app.config.baseUrl}${INVITATION_PATHS.employee}?token=${token}`;
    if (mailed)
      sendMail(ctx, EmployeeInvitation, {
        to: { name, address: email },
        data: { invited_by: ctx.author.name, link, valid_until: untilWhen(ctx, expires_at) },
      });
    ctx.record({
      action: 'update',
      entity_type: 'contact',
      entity_id: employee_number,
      description: `${name} invited to the portal`,
    });
    return { employee_number, email, expires_at, link: mailed ? null : link };
  });
}
