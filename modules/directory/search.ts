import { searchable, signedIn, view } from '@keelson/core';
import { Companies } from './companies/companies.ts';
import { ColleagueFound } from './employees/employee-detail.ts';
import { Employees } from './employees/employees.ts';
import { Company } from './entities/company.ts';
import { Employee } from './entities/employee.ts';
import { Site } from './entities/site.ts';
import { CompanyNames } from './names.ts';
import { ReadCompanies, ReadContacts } from './permissions.ts';

const nameOf = ({ first_name, last_name }: Employee) => `${first_name} ${last_name}`;

export default [
  searchable(Company, {
    name: ['customer'],
    main: ['phone', 'city'],
    title: ({ customer }) => customer,
    subtitle: ({ city }) => city,
    found: {
      admin: {
        type: 'companies',
        access: ReadCompanies,
        view: view(Companies, { only: ['company_number', 'customer'] }),
      },
    },
  }),
  searchable(Site, { name: ['site_name'], main: ['address'], title: ({ site_name }) => site_name }),
  // What colleagues search is `main`; technicians search telephone numbers as well (P-26).
  searchable(Employee, {
    name: ['first_name', 'last_name'],
    main: ['email'],
    more: ['phone', 'mobile'],
    title: nameOf,
    subtitle: ({ email }) => email,
    found: {
      admin: {
        type: 'contacts',
        access: ReadContacts,
        view: view(Employees, {
          only: ['employee_number', 'first_name', 'last_name', 'email'],
          more: (its) => ({
            contact_id: its.column('employee_number'),
            company_name: its.name(CompanyNames, 'company_number'),
          }),
        }),
      },
      helpdesk: { type: 'employees', access: signedIn, view: ColleagueFound, depth: 'main' },
    },
  }),
];
