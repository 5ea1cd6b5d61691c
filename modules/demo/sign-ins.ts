// Sign-in instructions for the demo: a file for programs, and printed lines for people.
import type { Customer, Person, Staff } from './people.ts';

interface SignIn {
  readonly email: string;
  readonly password: string;
}

interface EmployeeSignIn extends SignIn {
  readonly employee_number: number;
}

export interface DemoFile {
  readonly base_url: string;
  readonly staff: { readonly administrator: SignIn; readonly technician: SignIn };
  readonly admin_key: string;
  readonly crm: { readonly secret_key: string; readonly public_live: string; readonly public_test: string };
  readonly companies: readonly {
    readonly company_number: number;
    readonly customer: string;
    readonly site_number: number;
    readonly employees: Readonly<Record<'it_admin' | 'manager' | 'employee', EmployeeSignIn>>;
  }[];
}

interface Made {
  readonly base_url: string;
  readonly staff: Staff;
  readonly customers: readonly Customer[];
  readonly keys: Readonly<Record<'admin' | 'secret' | 'live' | 'test', string>>;
}

/** Returns the content of demo.json. */
export function demoFile({ base_url, staff, customers, keys }: Made): DemoFile {
  const signIn = ({ email, password }: SignIn): SignIn => ({ email, password });
  const employee = (person: Person) => ({ employee_number: person.employee_number, ...signIn(person) });
  return {
    base_url,
    staff: { administrator: signIn(staff.administrator), technician: signIn(staff.technician) },
    admin_key: keys.admin,
    crm: { secret_key: keys.secret, public_live: keys.live, public_test: keys.test },
    companies: customers.map(({ company, sites, it_admin, manager, employee: member }) => ({
      company_number: company.company_number,
      customer: company.customer,
      site_number: sites[0],
      employees: { it_admin: employee(it_admin), manager: employee(manager), employee: employee(member) },
    })),
  };
}

/** Returns the lines to print. */
export function instructions(file: DemoFile, path: string): string[] {
  const { base_url, staff, companies } = file;
  const row = (who: string, { email, password }: SignIn) => `  ${who.padEnd(22)} ${email.padEnd(38)} ${password}`;
  return [
    '',
    `Harbour IT, a service provider with two customers, is at ${base_url}`,
    '',
    'Staff',
    row('Administrator', staff.administrator),
    row('Technician', staff.technician),
    ...companies.flatMap(({ customer, employees }) => [
      '',
      customer,
      row('IT admin', employees.it_admin),
      row('Manager (approves)', employees.manager),
      row('Employee (needs approval)', employees.employee),
    ]),
    '',
    'Try it:',
    ...examples(file),
    '',
    `These sign-ins and the API keys are in ${path}. Press Ctrl-C to stop the demo; the next run starts fresh.`,
  ];
}

function examples({ base_url, admin_key, companies }: DemoFile): string[] {
  const { email = '', password = '' } = companies[0]?.employees.it_admin ?? {};
  const login = JSON.stringify({ username: email, password });
  const helpdesk = `${base_url}/helpdesk/api/v1`;
  return [
    `  curl -s ${helpdesk}/auth/login -H 'Content-Type: application/json' -d '${login}'`,
    `  curl -s ${helpdesk}/tickets -H "Authorization: Bearer <access_token from the response>"`,
    `  curl -s '${base_url}/admin/api/v1/tickets.php?status=open' -H 'Authorization: Bearer ${admin_key}'`,
  ];
}
