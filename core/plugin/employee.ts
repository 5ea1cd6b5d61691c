// Whether it is one of a customer's people who asks: what their company has switched off, and what is another company's, is not
// for them.

/** What there is of every customer's person, whatever else their actor has. */
export interface EmployeeCaller {
  readonly employee_number: number;
  readonly company_number: number;
  readonly can_view_billing: boolean;
}

/** Whether an actor is an employee; technicians, keys, programs and the program itself are not. */
export function isEmployee(actor: unknown): actor is EmployeeCaller {
  return typeof actor === 'object' && actor !== null && 'employee_number' in actor;
}
