import { Claim } from './entities.ts';

/** A claim as technicians see it: every column. */
export const ClaimShape = Claim.shape;

/** A claim as the customer's people see it: whom we chase, and when, is our own affair. */
export const PortalClaim = Claim.shape.omit({ company_number: true, chased_at: true });
