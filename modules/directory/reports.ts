// Report sources: companies and contacts, and for a company's employees their colleagues.
import { itAdmin, reportSource, signedIn } from '@keelson/core';
import { CompanyItem } from './companies/companies.ts';
import { Contact, ManagedColleague } from './employees/employee-detail.ts';
import { ReadCompanies, ReadContacts } from './permissions.ts';
import { SiteItem } from './sites/sites.ts';

const person = {
  employee_number: 'Employee number',
  first_name: 'First name',
  last_name: 'Last name',
  email: 'Email',
  phone: 'Phone',
  mobile: 'Mobile',
  title: 'Job title',
  department: 'Department',
  site_name: 'Site',
  status: 'Status',
  created_at: 'Created',
  updated_at: 'Updated',
} as const;

const rights = {
  ismgr: 'Manager',
  it_privileges: 'IT admin',
  can_create_tickets: 'May create tickets',
  can_view_billing: 'May view billing',
  asset_edit: 'Assets',
} as const;

export default [
  reportSource('admin', 'companies', {
    title: 'Companies',
    access: ReadCompanies,
    view: CompanyItem,
    fields: {
      company_number: 'Company number',
      customer: 'Company',
      address: 'Address',
      city: 'City',
      state: 'State or province',
      zip: 'ZIP',
      country: 'Country',
      phone: 'Phone',
      email: 'Email',
      website: 'Website',
      industry: 'Industry',
      status: { label: 'Status', column: 'status' },
      site_count: 'Sites',
      open_tickets: 'Open tickets',
      created_at: 'Created',
      updated_at: 'Updated',
    },
  }),
  reportSource('admin', 'contacts', {
    title: 'Contacts',
    access: ReadContacts,
    view: Contact,
    fields: { ...person, company_number: 'Company number', company_name: 'Company', ...rights },
  }),
  reportSource('helpdesk', 'employees', {
    title: 'Employees',
    access: signedIn,
    view: ManagedColleague,
    fields: {
      ...person,
      // Only IT admins see the rights of colleagues (Z-12).
      ismgr: { label: rights.ismgr, access: itAdmin },
      it_privileges: { label: rights.it_privileges, access: itAdmin },
      can_create_tickets: { label: rights.can_create_tickets, access: itAdmin },
      can_view_billing: { label: rights.can_view_billing, access: itAdmin },
      asset_edit: { label: rights.asset_edit, access: itAdmin },
    },
  }),
  reportSource('admin', 'sites', {
    title: 'Sites',
    access: ReadCompanies,
    view: SiteItem,
    fields: {
      site_number: 'Site number',
      site_name: 'Name',
      company_number: 'Company number',
      company_name: 'Company',
      address: 'Address',
      city: 'City',
      state: 'State or province',
      zip: 'Postal code',
      country: 'Country',
      phone: 'Phone',
      status: 'Status',
      is_primary: 'Main site',
      employee_count: 'Employees',
      asset_count: 'Assets',
      created_at: 'Created',
      updated_at: 'Updated',
    },
  }),
];
