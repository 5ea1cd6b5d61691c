// Provides the access matrix (test/access-matrix.md) with a claim and an attachment.
import type { Makers } from '../../../test/_access-ids.ts';
import { attachTo } from '../../../test/attachments-seed.ts';
import { Claim } from '../entities.ts';

type Maker = NonNullable<Makers[string]>;

const claim: Maker = ({ make, person: { company_number } }) =>
  make('admin', '/warranty/claims.php', { company_number, vendor: 'Acme', product: 'Printer' });

/** Attachment of the claim in the path, or of another claim. */
const attachment: Maker = ({ app, side, parents }) =>
  attachTo(app, Claim, { id: Number(parents[0]) + (side === 'own' ? 0 : 1_000_000) });

const makers: Makers = {
  'admin /warranty/claims.php?id': claim,
  'admin /warranty/claims.php?attachment_id': attachment,
  'helpdesk /warranty/claims/{id}': claim,
  'helpdesk /warranty/claims/{id}/attachments/{attachment_id}': attachment,
};
export default makers;
