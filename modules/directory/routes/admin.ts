import companies from './admin/companies.ts';

export default [...companies];
