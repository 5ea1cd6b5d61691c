import { definePlugin, dependent } from '@keelson/core';
import { CompanyAttachments } from './attachments.ts';
import { CompanyImport } from './companies/company-import.ts';
import consolePages from './console/pages.ts';
import { Departments, Industries } from './dropdowns.ts';
import { ContactImport } from './employees/employee-import.ts';
import { AddressClaim } from './entities/address-claim.ts';
import { Company } from './entities/company.ts';
import { EmployeeAddress } from './entities/employee-address.ts';
import { Employee, EmployeeCount, SiteEmployeeCount } from './entities/employee.ts';
import { ManagerGroup, ManagerGroupPerson } from './entities/group.ts';
import { Site, SiteCount, SitePlace } from './entities/site.ts';
import { Technician } from './entities/technician.ts';
import { ApproversChanged, EmployeeDeleted, TechnicianLeft } from './events.ts';
import { languageOfPerson } from './languages.ts';
import live from './live.ts';
import { PasswordChanged, SecurityChange } from './mail-templates.ts';
import { AccessContacts, ReadCompanies, ReadContacts, WriteCompanies, WriteContacts } from './permissions.ts';
import portalPages from './portal/pages.ts';
import reports from './reports.ts';
import adminRoutes from './routes/admin.ts';
import helpdeskRoutes from './routes/helpdesk.ts';
import search from './search.ts';

export default definePlugin({
  id: 'directory',
  title: 'Directory',
  description: 'Companies, their sites, employees and manager groups.',
  entities: [
    Company,
    Site,
    SitePlace,
    Employee,
    EmployeeAddress,
    AddressClaim,
    Technician,
    ManagerGroup,
    ManagerGroupPerson,
  ],
  attachments: [CompanyAttachments],
  counted: [SiteCount, EmployeeCount, SiteEmployeeCount],
  dependents: [
    dependent(Site, 'company_number', 'sites'),
    dependent(Employee, 'company_number', 'contacts'),
    dependent(Employee, 'site_number', 'contacts'),
    dependent(ManagerGroupPerson, 'employee_number', 'manager groups'),
  ],
  imports: [CompanyImport, ContactImport],
  permissions: [ReadCompanies, WriteCompanies, ReadContacts, WriteContacts, AccessContacts],
  events: [ApproversChanged, EmployeeDeleted, TechnicianLeft],
  language: languageOfPerson,
  mailTemplates: [PasswordChanged, SecurityChange],
  live,
  search,
  dropdowns: [Departments, Industries],
  console: consolePages,
  portal: portalPages,
  routes: [...helpdeskRoutes, ...adminRoutes],
  reports,
});
