// Links in mails that set a password: of invitations and of resets. Only a hash of a link is stored.
import {
  Company,
  Employee,
  newHash,
  storeEmployeePassword,
  storeTechnicianPassword,
  Technician,
} from '@keelson/modules/directory';
import {
  above,
  employeeName,
  normalised,
  notFound,
  plus,
  secret,
  sendMail,
  type Context,
  type Row,
} from '@keelson/core';
import { tokenHash } from '@keelson/core/system';
import { PasswordChanged } from '../mail-templates.ts';
import { AccountLink, linkPurposes } from '../entities.ts';
import { endSessions } from '../sessions/session.ts';

export type Purpose = (typeof linkPurposes)[number];
export type Link = Row<typeof AccountLink>;

/** Whose link it is, with what is needed of either kind of person. */
export type Person = {
  readonly name: string;
  readonly email: string;
  readonly access_version: number;
  readonly hasPassword: boolean;
} & (
  | { readonly kind: 'technician'; readonly user_id: number }
  | { readonly kind: 'employee'; readonly employee_number: number }
);

const LASTS = { invitation: { hours: 24 }, reset: { hours: 1 } } as const;

export function technicianPerson(row: Row<typeof Technician>): Person {
  const { user_id, name, email, access_version, password_hash } = row;
  return { kind: 'technician', user_id, name, email, access_version, hasPassword: password_hash !== null };
}

export function employeePerson(row: Row<typeof Employee>): Person {
  const { employee_number, email, access_version, password_hash } = row;
  const hasPassword = password_hash !== null;
  return { kind: 'employee', employee_number, name: employeeName(row), email, access_version, hasPassword };
}

/** Makes a link and ends the person's earlier ones; answers its token and its end. Runs in a transaction. */
export async function makeLink(ctx: Context, person: Person, purpose: Purpose) {
  await voidLinks(ctx, person);
  const token = secret();
  const expires_at = plus(ctx.now, LASTS[purpose]);
  const { access_version } = person;
  const email_key = normalised(person.email);
  const made = { purpose, token_hash: tokenHash(token), email_key, access_version, created_at: ctx.now, expires_at };
  await ctx.db.insert(AccountLink, { ...made, ...keyOf(person) });
  return { token, expires_at };
}

/** Ends every link of a person: the address changed, or a newer link is made. Runs in a transaction. */
export async function voidLinks(ctx: Context, person: Person): Promise<void> {
  await ctx.db.update(AccountLink, { ...keyOf(person), used_at: null }, { used_at: ctx.now });
}

/** How many links a person was sent since a moment. */
export function countLinks(ctx: Context, person: Person, since: string): Promise<number> {
  return ctx.db.count(AccountLink, { ...keyOf(person), created_at: above(since) });
}

/** Whose link a token is, while it is good. */
export async function findLink(
  ctx: Context,
  { token, purpose, kind }: { token: string; purpose: Purpose; kind: Person['kind'] },
): Promise<{ link: Link; person: Person } | undefined> {
  const live = { token_hash: tokenHash(token), purpose, used_at: null, expires_at: above(ctx.now) };
  const link = await ctx.db.one(AccountLink, live);
  const person = link && (await readPerson(ctx, link));
  if (!link || !person || person.kind !== kind) return undefined;
  if (person.access_version !== link.access_version || normalised(person.email) !== link.email_key) return undefined;
  // Whoever has a password meanwhile does not need the invitation, and nobody else may use it.
  return purpose === 'invitation' && person.hasPassword ? undefined : { link, person };
}

/**
 * Sets the password a link is for, and ends it and all sessions; after a reset the owner is told. Opens its own transaction;
 * answers whose it is, as they are now.
 * @throws notFound() when the link is used, over or unknown; invalid() when the password may not be chosen
 */
export async function setPasswordByLink(
  ctx: Context,
  wanted: { token: string; purpose: Purpose; kind: Person['kind']; password: string },
): Promise<Person> {
  const found = await findLink(ctx, wanted);
  if (!found) throw notFound('Link');
  const { email } = found.person;
  const password_hash = await newHash(ctx, wanted.password, { email });
  return ctx.transaction(async (inside) => {
    // Whatever changed the person since the first look ended the link as well.
    const still = await findLink(inside, wanted);
    if (!still) throw notFound('Link');
    const { link, person } = still;
    const mine = { link_id: link.link_id, used_at: null };
    if ((await inside.db.update(AccountLink, mine, { used_at: inside.now })) === 0) throw notFound('Link');
    const access_version = await storePassword(inside, person, password_hash);
    if (access_version === undefined) throw notFound('Link');
    const to = { name: person.name, address: person.email };
    if (wanted.purpose === 'reset') sendMail(inside, PasswordChanged, { to, data: {} });
    return { ...person, access_version, hasPassword: true };
  });
}

async function storePassword(ctx: Context, person: Person, hash: string): Promise<number | undefined> {
  if (person.kind === 'technician') return storeTechnicianPassword(ctx, person, hash);
  const stored = await storeEmployeePassword(ctx, person, hash);
  if (stored !== undefined) await endSessions(ctx, person.employee_number);
  return stored;
}

/** Nobody who may not sign in. */
async function readPerson(ctx: Context, { user_id, employee_number }: Link): Promise<Person | undefined> {
  if (user_id !== null) {
    const row = await ctx.db.one(Technician, { user_id, active: true, deleted_at: null });
    return row && technicianPerson(row);
  }
  if (employee_number === null) return undefined;
  const row = await ctx.db.one(Employee, { employee_number, status: 'Active', deleted_at: null });
  const { company_number } = row ?? {};
  if (!row || company_number === undefined) return undefined;
  return (await ctx.db.one(Company, { company_number, status: 'active', deleted_at: null })) && employeePerson(row);
}

function keyOf(person: Person) {
  return person.kind === 'technician' ? { user_id: person.user_id } : { employee_number: person.employee_number };
}
