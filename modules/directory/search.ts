import { searchable, signedIn, view } from '@keelson/core';
import { Companies } from './companies/companies.ts';
import { ColleagueFound } from './employees/employee-detail.ts';
import { Employees } from './employees/employees.ts';
import { Company } from './entities/company.ts';
import { Employee } from './entities/employee.ts';
import { Site } from './entities/site.ts';
import { CompanyNames } from './names.ts';
import { ReadCompanies, ReadContacts } from './permissions.ts';

/** Chinese, Japanese and Korean names are written without a space, with the family name first or last. */
const UNSPACED = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}]/u;
const writtenTogether = ({ first_name, last_name }: Employee) =>
  UNSPACED.test(last_name) ? { name: [last_name + first_name, first_name + last_name] } : {};

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
  // Colleagues search only `main`; technicians also search phone numbers (P-26).
  searchable(Employee, {
    name: ['first_name', 'last_name'],
    main: ['email'],
    more: ['phone', 'mobile'],
    texts: async () => writtenTogether,
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
