import type { Access, Admin, Context } from '@keelson/core';

export type Person = Extract<Admin, { kind: 'technician' }>;
/** A technician's request context. */
export type Desk = Context<Person>;

/** Access for technicians only: a key has no desk. */
export const people: Access<Person> = Object.freeze({
  title: 'technician session',
  allows: (actor: Admin) => actor.kind === 'technician',
  refusal: 'Only signed-in technicians can use this; API keys cannot',
});
