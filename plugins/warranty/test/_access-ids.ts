// How the access matrix (test/access-matrix.md) gets a claim to ask for.
import type { Makers } from '../../../test/_access-ids.ts';

const makers: Makers = {
  'admin /warranty/claims.php?id': ({ make, person: { company_number } }) =>
    make('admin', '/warranty/claims.php', { company_number, vendor: 'Acme', product: 'Printer' }),
};
export default makers;
