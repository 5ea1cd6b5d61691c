// Display names of companies, sites and people, for records that store only their number. Changing a record invalidates
// its name.
import { defineNames } from '@keelson/core';
import { employeeName } from '@keelson/core/surfaces';
import { Company } from './entities/company.ts';
import { Employee } from './entities/employee.ts';
import { Site } from './entities/site.ts';
import { Technician } from './entities/technician.ts';

export const CompanyNames = defineNames(Company, ['customer'], (row) => row.customer);
export const SiteNames = defineNames(Site, ['site_name'], (row) => row.site_name);
export const TechnicianNames = defineNames(Technician, ['name'], (row) => row.name);
export const EmployeeNames = defineNames(Employee, ['first_name', 'last_name'], employeeName);
