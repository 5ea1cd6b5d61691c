import companies from './admin/companies.ts';
import contacts from './admin/contacts.ts';

export default [...companies, ...contacts];
