// Watchers: people who follow a ticket that is not theirs (T-40). Contacts of the ticket's company may see it and get
// the requester's mails; technicians get notifications, including those about internal notes.
import {
  announceChange,
  conflict,
  forbidden,
  In,
  invalid,
  IsNull,
  notFound,
  Problem,
  z,
  type Context,
  type EmployeeActor,
} from '@keelson/core';
import { employeeName } from '@keelson/core/surfaces';
import { Employee, Technician } from '@keelson/modules/directory';
import { Ticket, TicketWatcher } from '../entities.ts';
import { notifyAdded } from '../notices.ts';

/** Maximum per ticket. */
const MOST_WATCHERS = 50;

export const Watcher = z.object({
  watcher_id: z.int(),
  /** A contact's number; null for a technician. */
  employee_number: z.int().nullable(),
  /** A technician's id; null for a contact. */
  user_id: z.int().nullable(),
  name: z.string(),
  /** False for someone who can no longer sign in and is not notified. */
  active: z.boolean(),
});
export type Watcher = z.infer<typeof Watcher>;

/** A watching contact as customers see them. */
export const PortalWatcher = Watcher.pick({ watcher_id: true, name: true }).extend({ employee_number: z.int() });

interface Added {
  readonly employee_number?: number | undefined;
  readonly user_id?: number | undefined;
}

/** Returns a ticket's watchers in order of joining. Deleted people are left out. */
export async function readWatchers(ctx: Context, { ticket_id }: Pick<Ticket, 'ticket_id'>): Promise<Watcher[]> {
  const rows = await ctx.db.find(TicketWatcher, { where: { ticket_id }, order: { watcher_id: 'ASC' } });
  const namesOf = await readNames(ctx, rows);
  return rows.flatMap((row) => {
    const { watcher_id, kind, person_id } = row;
    const person = namesOf.get(keyOf(row));
    if (!person) return [];
    const contact = kind === 'contact';
    return [
      { watcher_id, employee_number: contact ? person_id : null, user_id: contact ? null : person_id, ...person },
    ];
  });
}

/** Returns the contacts among a ticket's watchers: customers do not see which technicians follow it. */
export async function readPortalWatchers(ctx: Context, ticket: Ticket): Promise<z.infer<typeof PortalWatcher>[]> {
  return (await readWatchers(ctx, ticket)).flatMap(({ watcher_id, employee_number, name }) =>
    employee_number === null ? [] : [{ watcher_id, employee_number, name }],
  );
}

/**
 * Adds a watcher to a locked ticket and notifies them. Does nothing if they already watch it.
 * @throws invalid() naming the field of a person who cannot watch it; conflict() if there are too many
 */
export async function addWatcher(ctx: Context, ticket: Ticket, { employee_number, user_id }: Added): Promise<void> {
  if ((employee_number === undefined) === (user_id === undefined))
    throw invalid('employee_number or user_id is required');
  const { ticket_id } = ticket;
  const name =
    user_id === undefined
      ? (await readContacts(ctx, ticket, [employee_number ?? 0], 'employee_number')).at(0)?.name
      : await readTechnician(ctx, user_id);
  const watching = { ticket_id, ...personOf({ employee_number, user_id }) };
  const present = await ctx.db.findBy(TicketWatcher, { ticket_id });
  if (present.some((each) => keyOf(each) === keyOf(watching))) return;
  if (present.length >= MOST_WATCHERS) throw conflict(`A ticket can have at most ${MOST_WATCHERS} watchers`);
  await ctx.db.insert(TicketWatcher, { ...watching, created_at: ctx.now });
  follow(ctx, ticket, watching.kind, [null, name ?? '']);
  if (employee_number !== undefined) notifyAdded(ctx, ticket, employee_number);
}

/** Adds those of several people who can watch a locked ticket, and notifies them. Leaves the others out. */
export async function addWatchers(ctx: Context, ticket: Ticket, people: readonly Added[]): Promise<void> {
  for (const each of people) await addWatcher(ctx, ticket, each).catch(unlessRefused);
}

function unlessRefused(error: unknown): void {
  if (!(error instanceof Problem) || (error.kind !== 'invalid' && error.kind !== 'conflict')) throw error;
}

/** Adds watchers of a ticket stored in the same commit. */
export function watchNew(
  ctx: Context,
  ticket: Ticket,
  employees: readonly number[],
  technicians: readonly number[],
): void {
  const { ticket_id } = ticket;
  for (const person_id of technicians)
    ctx.tx?.append(TicketWatcher, { ticket_id, kind: 'technician', person_id, created_at: ctx.now });
  for (const person_id of employees) {
    ctx.tx?.append(TicketWatcher, { ticket_id, kind: 'contact', person_id, created_at: ctx.now });
    notifyAdded(ctx, ticket, person_id);
  }
}

/** Requires active contacts of a company. @throws invalid() naming `watchers` otherwise */
export async function checkContacts(ctx: Context, company_number: number, employees: readonly number[]): Promise<void> {
  if (employees.length > 0) await readContacts(ctx, { company_number }, employees, 'watchers');
}

/** Requires active technicians. @throws invalid() naming `technician_watchers` otherwise */
export async function checkTechnicians({ db }: Context, user_id: readonly number[]): Promise<void> {
  if (user_id.length === 0) return;
  const found = await db.countBy(Technician, { user_id: In(user_id), active: true, deleted_at: IsNull() });
  if (found < user_id.length) throw invalid('technician_watchers must be active technicians');
}

/** Removes a watcher from a locked ticket. @throws notFound() */
export async function removeWatcher(ctx: Context, ticket: Ticket, watcher_id: number): Promise<void> {
  const watcher = await findWatcher(ctx, ticket, watcher_id);
  await ctx.db.delete(TicketWatcher, { watcher_id });
  const named = (await readNames(ctx, [watcher])).get(keyOf(watcher));
  follow(ctx, ticket, watcher.kind, [named?.name ?? '', null]);
}

/** Returns whether the signed-in person may add and remove watchers: the requester and IT admins. */
export function maySetWatchers({ actor }: Context<EmployeeActor>, ticket: Ticket): boolean {
  return actor.it_privileges || ticket.requester_employee_number === actor.employee_number;
}

/** Returns true if the signed-in person is the requester or watches the ticket, rather than only being allowed to see it. */
export async function takesPart({ db, actor }: Context<EmployeeActor>, ticket: Ticket): Promise<boolean> {
  const { ticket_id, requester_employee_number } = ticket;
  const person_id = actor.employee_number;
  if (requester_employee_number === person_id) return true;
  return db.existsBy(TicketWatcher, { ticket_id, kind: 'contact', person_id });
}

/** Adds a colleague as a watcher for a customer. @throws forbidden() if they may not; like addWatcher() */
export async function addColleague(
  ctx: Context<EmployeeActor>,
  ticket: Ticket,
  employee_number: number,
): Promise<void> {
  if (!maySetWatchers(ctx, ticket)) throw forbidden('Only the requester and IT admins can add people');
  await addWatcher(ctx, ticket, { employee_number });
}

/** Removes a contact for a customer; everyone may remove themselves. @throws notFound(), also for technicians */
export async function removeColleague(ctx: Context<EmployeeActor>, ticket: Ticket, watcher_id: number): Promise<void> {
  const { kind, person_id } = await findWatcher(ctx, ticket, watcher_id);
  if (kind !== 'contact') throw notFound('Ticket');
  if (person_id !== ctx.actor.employee_number && !maySetWatchers(ctx, ticket))
    throw forbidden('Only the requester and IT admins can remove people');
  await removeWatcher(ctx, ticket, watcher_id);
}

/** Adds the watchers of a merged ticket to the one it was merged into. */
export async function copyWatchers({ db, now }: Context, from: Ticket, into: Ticket): Promise<void> {
  const rows = await db.findBy(TicketWatcher, { ticket_id: In([from.ticket_id, into.ticket_id]) });
  const there = new Set(rows.filter((each) => each.ticket_id === into.ticket_id).map(keyOf));
  const missing = rows.filter((each) => !there.has(keyOf(each)));
  await db.insert(
    TicketWatcher,
    missing.map(({ kind, person_id }) => ({ ticket_id: into.ticket_id, kind, person_id, created_at: now })),
  );
}

type Person = Pick<TicketWatcher, 'kind' | 'person_id'>;

const keyOf = ({ kind, person_id }: Person): string => `${kind} ${person_id}`;

function personOf({ employee_number, user_id }: Added): Person {
  return user_id === undefined
    ? { kind: 'contact', person_id: employee_number ?? 0 }
    : { kind: 'technician', person_id: user_id };
}

async function findWatcher({ db }: Context, { ticket_id }: Ticket, watcher_id: number): Promise<TicketWatcher> {
  const found = await db.findOneBy(TicketWatcher, { watcher_id, ticket_id });
  if (!found) throw notFound('Ticket');
  return found;
}

async function readNames({ db }: Context, rows: readonly Person[]) {
  const ids = (of: Person['kind']) => rows.filter(({ kind }) => kind === of).map(({ person_id }) => person_id);
  const [contacts, technicians] = [ids('contact'), ids('technician')];
  const people = new Map<string, { name: string; active: boolean }>();
  if (contacts.length > 0)
    for (const each of await db.findBy(Employee, { employee_number: In(contacts), deleted_at: IsNull() }))
      people.set(keyOf({ kind: 'contact', person_id: each.employee_number }), {
        name: employeeName(each),
        active: each.status === 'Active',
      });
  if (technicians.length > 0)
    for (const { user_id, name, active } of await db.findBy(Technician, {
      user_id: In(technicians),
      deleted_at: IsNull(),
    }))
      people.set(keyOf({ kind: 'technician', person_id: user_id }), { name, active });
  return people;
}

async function readContacts(
  { db }: Context,
  { company_number }: Pick<Ticket, 'company_number'>,
  employees: readonly number[],
  field: string,
) {
  const where = {
    employee_number: In([...employees]),
    company_number,
    status: 'Active',
    deleted_at: IsNull(),
  } as const;
  const found = await db.findBy(Employee, where);
  if (found.length < new Set(employees).size)
    throw invalid(`${field} must be ${field === 'watchers' ? 'active people' : 'an active person'} of the company`);
  return found.map((each) => ({ name: employeeName(each) }));
}

async function readTechnician({ db }: Context, user_id: number): Promise<string> {
  const found = await db.findOneBy(Technician, { user_id, active: true, deleted_at: IsNull() });
  if (!found) throw invalid('user_id must be an active technician');
  return found.name;
}

/** Records the change in the ticket's history and refreshes open pages; the ticket itself does not change. */
function follow(ctx: Context, ticket: Ticket, kind: Person['kind'], change: readonly [string | null, string | null]) {
  ctx.record({
    action: 'update',
    entity_type: Ticket.name,
    entity_id: ticket.ticket_id,
    description: `Watchers of ticket ${ticket.ticket_number} changed`,
    changes: { watchers: change },
    shownOn: { of: Ticket, row: ticket },
  });
  announceChange(ctx, { of: Ticket, row: ticket, kind: 'changed', internal: kind === 'technician' });
}
