// What companies, sites and people are called where only their number is stored. Whoever renames or deletes one says so
// with `ctx.app.names.changed`, or lists show the old name for a second or two.
import { defineNames, employeeName } from '@keelson/core';
import { Company } from './entities/company.ts';
import { Employee } from './entities/employee.ts';
import { Site } from './entities/site.ts';
import { Technician } from './entities/technician.ts';

export const CompanyNames = defineNames(Company, ['customer'], (row) => row.customer);
export const SiteNames = defineNames(Site, ['site_name'], (row) => row.site_name);
export const TechnicianNames = defineNames(Technician, ['name'], (row) => row.name);
export const EmployeeNames = defineNames(Employee, ['first_name', 'last_name'], employeeName);
