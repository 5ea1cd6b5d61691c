// Recognises customer employees, who may not see other companies' data or modules their company has switched off.

/** The members common to every employee actor. */
export interface EmployeeCaller {
  readonly employee_number: number;
  readonly company_number: number;
  readonly can_view_billing: boolean;
}

/** Returns true for an employee. Technicians, keys, programs and the system are not employees. */
export function isEmployee(actor: unknown): actor is EmployeeCaller {
  return typeof actor === 'object' && actor !== null && 'employee_number' in actor;
}
