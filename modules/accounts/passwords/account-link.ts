// Mailed links for setting a password: invitations and resets. Only their hashes are stored.
import { In, IsNull, MoreThan, normalised, notFound, plus, secret, type Context, type Row } from '@keelson/core';
import { employeeName } from '@keelson/core/surfaces';
import { tokenHash } from '@keelson/core/system';
import {
  Company,
  Employee,
  newHash,
  storeEmployeePassword,
  storeTechnicianPassword,
  Technician,
} from '@keelson/modules/directory';
import { AccountLink, linkPurposes } from '../entities.ts';
import type { OwnerId } from '../factors/factor.ts';
import { removeIdentities } from '../oauth/identities.ts';
import { endSessions } from '../sessions/session.ts';

export type Purpose = (typeof linkPurposes)[number];
export type Link = Row<typeof AccountLink>;

/** The owner of a link: the fields that employees and technicians share. */
export type Person = {
  readonly name: string;
  readonly email: string;
  readonly access_version: number;
  readonly hasPassword: boolean;
} & (
  | { readonly kind: 'technician'; readonly user_id: number }
  | { readonly kind: 'employee'; readonly employee_number: number }
);

/** Employees get longer, because customers read their mail less often. */
const VALIDITY = {
  technician: { invitation: { hours: 24 }, reset: { hours: 1 } },
  employee: { invitation: { days: 7 }, reset: { hours: 1 } },
} as const;

export function technicianPerson(row: Row<typeof Technician>): Person {
  const { user_id, name, email, access_version, password_hash } = row;
  return { kind: 'technician', user_id, name, email, access_version, hasPassword: password_hash !== null };
}

export function employeePerson(row: Row<typeof Employee>): Person & { kind: 'employee' } {
  const { employee_number, email, access_version, password_hash } = row;
  const hasPassword = password_hash !== null;
  return { kind: 'employee', employee_number, name: employeeName(row), email, access_version, hasPassword };
}

/** Creates a link and voids the person's earlier ones. Runs in a transaction. */
export async function createLink(ctx: Context, person: Person, purpose: Purpose) {
  const [link] = await createLinks(ctx, [person], purpose);
  if (!link) throw new Error('no link was created');
  return link;
}

/** Creates a link for each of these people, all of one kind, and voids their earlier ones. Runs in a transaction. */
export async function createLinks<Invited extends Person>(
  ctx: Context,
  people: readonly Invited[],
  purpose: Purpose,
): Promise<{ person: Invited; token: string; expires_at: string }[]> {
  if (people.length === 0) return [];
  await voidLinks(ctx, people);
  const links = people.map((person) => ({
    person,
    token: secret(),
    expires_at: plus(ctx.now, VALIDITY[person.kind][purpose]),
  }));
  await ctx.db.insert(
    AccountLink,
    links.map(({ person, token, expires_at }) => ({
      ...keyOf(person),
      purpose,
      token_hash: tokenHash(token),
      email_key: normalised(person.email),
      access_version: person.access_version,
      created_at: ctx.now,
      expires_at,
    })),
  );
  return links;
}

/** Voids all links of people of one kind, after a new address or a newer link. Runs in a transaction. */
export async function voidLinks(ctx: Context, people: readonly Person[]): Promise<void> {
  await ctx.db.update(AccountLink, { ...ofAll(people), used_at: IsNull() }, { used_at: ctx.now });
}

/** Per person, for all purposes together. */
export const LINKS_PER_HOUR = 3;

/**
 * Returns the ids of those of these people, all of one kind, who got this many links within the last hour, so that no
 * one can flood a mailbox.
 */
export async function wereSentOften(ctx: Context, people: readonly Person[]): Promise<ReadonlySet<number>> {
  const since = plus(ctx.now, { hours: -1 });
  const sent = await ctx.db.findBy(AccountLink, { ...ofAll(people), created_at: MoreThan(since) });
  const links = Map.groupBy(sent, (each) => each.user_id ?? each.employee_number);
  return new Set(people.map((each) => ownerOf(each).id).filter((id) => (links.get(id)?.length ?? 0) >= LINKS_PER_HOUR));
}

/** Returns the link for a token with its owner, if it is valid. */
export async function findLink(
  ctx: Context,
  { token, purpose, kind }: { token: string; purpose: Purpose; kind: Person['kind'] },
): Promise<{ link: Link; person: Person } | undefined> {
  const valid = { token_hash: tokenHash(token), purpose, used_at: IsNull(), expires_at: MoreThan(ctx.now) };
  const link = await ctx.db.findOneBy(AccountLink, valid);
  const person = link && (await readEntitled(ctx, link));
  return link && person?.kind === kind ? { link, person } : undefined;
}

/** Returns the owner of a link, unless the link has become void because they can no longer sign in or have changed. */
export async function readEntitled(ctx: Context, link: Link): Promise<Person | undefined> {
  const person = await readPerson(ctx, link);
  if (!person) return undefined;
  if (person.access_version !== link.access_version || normalised(person.email) !== link.email_key) return undefined;
  // An invitation is void once its owner has a password.
  return link.purpose === 'invitation' && person.hasPassword ? undefined : person;
}

/**
 * Sets a password with a link. Ends the link and all sessions, and after a reset also removes the linked provider
 * identities. Mails the owner. Opens its own transaction.
 * @throws notFound() when the link is used, expired or unknown; invalid() for a forbidden password
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
    // Check again: the person may have changed while the password was hashed.
    const current = await findLink(inside, wanted);
    if (!current) throw notFound('Link');
    const { link, person } = current;
    const unused = { link_id: link.link_id, used_at: IsNull() };
    if ((await inside.db.update(AccountLink, unused, { used_at: inside.now })).affected === 0) throw notFound('Link');
    const access_version = await storePassword(inside, person, password_hash);
    if (access_version === undefined) throw notFound('Link');
    if (wanted.purpose === 'reset') await removeIdentities(inside, ownerOf(person));
    return { ...person, access_version, hasPassword: true };
  });
}

async function storePassword(ctx: Context, person: Person, hash: string): Promise<number | undefined> {
  if (person.kind === 'technician') return storeTechnicianPassword(ctx, person, hash);
  const stored = await storeEmployeePassword(ctx, person, hash);
  if (stored !== undefined) await endSessions(ctx, person.employee_number);
  return stored;
}

/** Returns the owner, if they may sign in. */
async function readPerson(ctx: Context, { user_id, employee_number }: Link): Promise<Person | null> {
  if (user_id !== null) {
    const row = await ctx.db.findOneBy(Technician, { user_id, active: true, deleted_at: IsNull() });
    return row && technicianPerson(row);
  }
  if (employee_number === null) return null;
  const row = await ctx.db.findOneBy(Employee, { employee_number, status: 'Active', deleted_at: IsNull() });
  if (!row) return null;
  const { company_number } = row;
  return (
    (await ctx.db.findOneBy(Company, { company_number, status: 'active', deleted_at: IsNull() })) && employeePerson(row)
  );
}

function ownerOf(person: Person): OwnerId {
  const { kind } = person;
  return { kind, id: kind === 'employee' ? person.employee_number : person.user_id };
}

function keyOf(person: Person) {
  return person.kind === 'technician' ? { user_id: person.user_id } : { employee_number: person.employee_number };
}

/** The condition for the links of people who are all technicians or all employees. */
function ofAll(people: readonly Person[]) {
  const ids = In(people.map((person) => ownerOf(person).id));
  return people[0]?.kind === 'technician' ? { user_id: ids } : { employee_number: ids };
}
