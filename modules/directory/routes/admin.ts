import companies from './admin/companies.ts';
import contacts from './admin/contacts.ts';
import sites from './admin/sites.ts';

export default [...companies, ...contacts, ...sites];
