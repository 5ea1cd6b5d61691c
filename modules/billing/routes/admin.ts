import creditNotes from './admin/credit-notes.ts';
import invoices from './admin/invoices.ts';
import payments from './admin/payments.ts';
import products from './admin/products.ts';
import proposals from './admin/proposals.ts';
import statements from './admin/statements.ts';
import subscriptions from './admin/subscriptions.ts';

export default [...invoices, ...creditNotes, ...payments, ...statements, ...proposals, ...products, ...subscriptions];
