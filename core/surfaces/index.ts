// `@keelson/core/surfaces`: people and what is revealed to them.

// Callers: how an employee is called, and who may see a secret how often.
export { isEmployee } from '../plugin/employee.ts';
export { amountFor, amountsAccess, seesAmounts } from './amounts.ts';
export { employeeName, seesBilling } from './helpdesk.ts';
export { chargeReveal, needsProof, revealers } from './reveal.ts';
