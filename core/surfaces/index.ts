// `@keelson/core/surfaces`: employees, visibility of amounts, and access to secrets.

// Callers: employee names, and rules for viewing amounts and secrets.
export { isEmployee } from '../plugin/route/employee.ts';
export { amountFor, amountsAccess, seesAmounts } from './amounts.ts';
export { employeeName, seesBilling } from './helpdesk.ts';
export { chargeReveal, needsProof, revealers } from './reveal.ts';
