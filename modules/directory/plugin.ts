import { definePlugin, dependent } from '@keelson/core';
import { Departments, Industries } from './dropdowns.ts';
import { Company } from './entities/company.ts';
import { Employee } from './entities/employee.ts';
import { ManagerGroup, ManagerGroupPerson } from './entities/group.ts';
import { Site } from './entities/site.ts';
import { Technician } from './entities/technician.ts';
import { ApproversChanged } from './events.ts';
import { ReadCompanies, WriteCompanies } from './permissions.ts';
import adminRoutes from './routes/admin.ts';
import helpdeskRoutes from './routes/helpdesk.ts';

export default definePlugin({
  id: 'directory',
  title: 'Directory',
  entities: [Company, Site, Employee, Technician, ManagerGroup, ManagerGroupPerson],
  dependents: [
    dependent(Site, 'company_number', 'sites'),
    dependent(Employee, 'company_number', 'contacts'),
    dependent(Employee, 'site_number', 'contacts'),
  ],
  permissions: [ReadCompanies, WriteCompanies],
  events: [ApproversChanged],
  dropdowns: [Departments, Industries],
  routes: [...helpdeskRoutes, ...adminRoutes],
});
