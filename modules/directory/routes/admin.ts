import companies from './admin/companies.ts';
import contacts from './admin/contacts.ts';
import departments from './admin/departments.ts';
import managerGroups from './admin/manager-groups.ts';
import sites from './admin/sites.ts';

export default [...companies, ...contacts, ...departments, ...managerGroups, ...sites];
