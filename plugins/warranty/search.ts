// Search fields of claims, and who can find them.
import { searchable, signedIn } from '@keelson/core';
import { Company } from '@keelson/modules/directory';
import { ClaimView, PortalClaim } from './claims.ts';
import { Claim } from './entities.ts';
import { ReadClaims } from './permissions.ts';

export default [
  searchable(Claim, {
    name: ['product'],
    main: ['vendor'],
    through: { company_number: Company },
    title: ({ product }) => product,
    subtitle: ({ vendor, state }) => `${vendor}, ${state}`,
    found: {
      admin: { type: 'claims', access: ReadClaims, view: ClaimView },
      helpdesk: { type: 'claims', access: signedIn, view: PortalClaim },
    },
  }),
];
