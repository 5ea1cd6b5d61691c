// `@keelson/core/surfaces`: people and what is revealed to them.

// Callers: how an employee is called, and who may see a secret how often.
export { employeeName } from './helpdesk.ts';
export { chargeReveal, revealers } from './reveal.ts';
