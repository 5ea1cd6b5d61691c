import type { Access, Admin } from '@keelson/core';
import { ReadTickets } from '@keelson/modules/tickets';

type Person = Extract<Admin, { kind: 'technician' }>;

/** Restricts access to technicians who may view tickets; a key has no calendar. */
export const people: Access<Person> = Object.freeze({
  title: 'technician session with tickets:read',
  allows: (actor: Admin) => actor.kind === 'technician' && ReadTickets.allows(actor),
  refusal: 'Only signed-in technicians who may view tickets can use this; API keys cannot',
});
