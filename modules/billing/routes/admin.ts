import invoices from './admin/invoices.ts';
import payments from './admin/payments.ts';
import statements from './admin/statements.ts';

export default [...invoices, ...payments, ...statements];
