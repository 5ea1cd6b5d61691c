// Warranty claims: what we ask of a vendor when something breaks. Each has a ticket, where the work on it is written down.
import {
  by,
  conflict,
  defineList,
  is,
  notFound,
  readPage,
  type Context,
  type EmployeeActor,
  type Filter,
  type Page,
} from '@keelson/core';
import { createTicket } from '@keelson/modules/tickets';
import { Claim, type State } from './entities.ts';
import { ClaimFiled } from './events.ts';

export interface NewClaim {
  readonly company_number: number;
  readonly vendor: string;
  readonly product: string;
  readonly details?: string | undefined;
}

export interface ClaimFilter {
  readonly company_number?: number | undefined;
  readonly state?: State | undefined;
  readonly page: number;
  readonly size: number;
}

/** A page of all claims, newest first. */
export function listClaims(ctx: Context, { company_number, ...asked }: ClaimFilter): Promise<Page<Claim>> {
  return readClaims(ctx, asked, company_number === undefined ? [] : [is('company_number', company_number)]);
}

/** A page of the claims of the signed-in person's company. */
export function listVisibleClaims(ctx: Context<EmployeeActor>, asked: ClaimFilter): Promise<Page<Claim>> {
  return readClaims(ctx, asked, [is('company_number', ctx.actor.company_number)]);
}

/** @throws notFound() */
export async function findClaim(ctx: Context, claimId: number): Promise<Claim> {
  const claim = await ctx.db.one(Claim, { claim_id: claimId });
  if (!claim) throw notFound('Claim');
  return claim;
}

/** Files a claim and opens its ticket, both or neither. @throws invalid() when there is no such company */
export async function fileClaim(ctx: Context, { details, ...input }: NewClaim): Promise<Claim> {
  const { company_number, vendor, product } = input;
  const subject = `Warranty claim: ${product} (${vendor})`;
  const { ticket_id } = await createTicket(ctx, { company_number, subject, description: details });
  const claim_id = await ctx.db.insert(Claim, { ...input, ticket_id, created_at: ctx.now });
  ctx.record({
    action: 'create',
    entity_type: 'warranty_claim',
    entity_id: claim_id,
    description: `Warranty claim for ${product} sent to ${vendor}`,
  });
  ctx.emit(ClaimFiled, { claim_id, ticket_id, company_number, vendor, product });
  return findClaim(ctx, claim_id);
}

/** Writes down what the vendor said, once. @throws conflict() when that is known already */
export async function answerClaim(ctx: Context, { claim_id }: Claim, state: 'accepted' | 'refused'): Promise<Claim> {
  const changed = await ctx.db.update(Claim, { claim_id, state: 'sent' }, { state, answered_at: ctx.now });
  if (changed === 0) throw conflict('The claim has been answered already');
  ctx.record({
    action: 'update',
    entity_type: 'warranty_claim',
    entity_id: claim_id,
    description: `Warranty claim ${state}`,
    changes: { state: ['sent', state] },
  });
  return findClaim(ctx, claim_id);
}

const ClaimList = defineList({
  table: Claim,
  columns: [
    'claim_id',
    'company_number',
    'ticket_id',
    'vendor',
    'product',
    'state',
    'created_at',
    'answered_at',
    'chased_at',
  ],
  sorts: { created_at: by('created_at') },
});

function readClaims(ctx: Context, { state, page, size }: ClaimFilter, scope: readonly Filter[]): Promise<Page<Claim>> {
  const where = state === undefined ? scope : [...scope, is('state', state)];
  return readPage(ctx.db, ClaimList, { where, sort: 'created_at', direction: 'desc', page, size });
}
