// Attachments of claims: the vendor's form, a photo of the defect.
import { attachments, itAdmin, signedIn } from '@keelson/core';
import { Claims, ClaimView, PortalClaim } from './claims.ts';
import { ReadClaims, WriteClaims } from './permissions.ts';

export const ClaimAttachments = attachments(Claims, {
  company: (claim) => claim.company_number,
  call: ({ product, vendor }) => `for ${product} (${vendor})`,
  admin: { path: '/warranty/claims.php', read: ReadClaims, write: WriteClaims, view: ClaimView },
  helpdesk: { path: '/warranty/claims', read: signedIn, write: itAdmin, view: PortalClaim },
});
