// Report sources: claims, for technicians and customers.
import { reportSource, signedIn } from '@keelson/core';
import { ClaimView, PortalClaim } from './claims.ts';
import { ReadClaims } from './permissions.ts';

const fields = {
  claim_id: 'Claim id',
  vendor: 'Vendor',
  product: 'Product',
  state: 'State',
  answered_at: 'Answered',
  created_at: 'Filed',
} as const;

export default [
  reportSource('admin', 'warranty_claims', {
    title: 'Warranty claims',
    access: ReadClaims,
    view: ClaimView,
    fields: { ...fields, company_number: 'Company number', chased_at: 'Chased' },
  }),
  reportSource('helpdesk', 'warranty_claims', {
    title: 'Warranty claims',
    access: signedIn,
    view: PortalClaim,
    fields,
  }),
];
