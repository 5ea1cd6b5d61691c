import products from './admin/products.ts';
import proposals from './admin/proposals.ts';
import subscriptions from './admin/subscriptions.ts';

export default [...proposals, ...products, ...subscriptions];
