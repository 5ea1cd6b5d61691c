import companies from './admin/companies.ts';
import sites from './admin/sites.ts';

export default [...companies, ...sites];
