import contracts from './admin/contracts.ts';
import domains from './admin/domains.ts';
import licenses from './admin/licenses.ts';
import networks from './admin/networks.ts';
import vendors from './admin/vendors.ts';
import vlans from './admin/vlans.ts';

export default [...contracts, ...licenses, ...networks, ...vlans, ...vendors, ...domains];
