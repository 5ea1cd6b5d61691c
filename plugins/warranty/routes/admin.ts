import {
  admin,
  all,
  change,
  conflict,
  create,
  created,
  findOr404,
  input,
  item,
  list,
  lock,
  pageOf,
  param,
  showOne,
  z,
} from '@keelson/core';
import { ReadAssets } from '@keelson/modules/assets';
import { createTicket } from '@keelson/modules/tickets';
import { Claims, ClaimView } from '../claims.ts';
import { Expiry, readExpiry } from '../expiry.ts';
import { FileClaims, ReadClaims, WriteClaims } from '../permissions.ts';

export default [
  admin.get('/warranty/expiry.php', {
    title: 'Read warranty expiry dates of assets',
    access: ReadAssets,
    query: z.object({ ids: param.required(param.ids()) }),
    returns: all(Expiry),
    handle: (ctx, { query: { ids } }) => readExpiry(ctx, ids),
  }),
  admin.get('/warranty/claims.php', {
    title: 'List warranty claims',
    access: ReadClaims,
    query: admin.paging(ClaimView.query),
    returns: list(ClaimView),
    handle: (ctx, { query }) => pageOf(ctx, ClaimView, query),
  }),
  admin.post('/warranty/claims.php', {
    title: 'File a warranty claim',
    access: FileClaims,
    body: z.object({
      company_number: input.id(),
      vendor: input.text(120),
      product: input.text(120),
      details: input.optionalLongText(),
    }),
    returns: created(ClaimView),
    // Creates the claim and its ticket in one transaction.
    handle: async (ctx, { body: { details: description, ...claim } }) => {
      const subject = `Warranty claim: ${claim.product} (${claim.vendor})`.slice(0, 255);
      const { ticket_id } = await createTicket(ctx, { company_number: claim.company_number, subject, description });
      return showOne(ctx, ClaimView, create(ctx, Claims, { ...claim, ticket_id }));
    },
  }),
  admin.get('/warranty/claims.php?id={id}', {
    title: 'Read a warranty claim',
    access: ReadClaims,
    returns: item(ClaimView),
    load: (ctx, { id }) => findOr404(ctx, Claims, id),
    handle: (ctx, { item: claim }) => showOne(ctx, ClaimView, claim),
  }),
  admin.put('/warranty/claims.php?id={id}', {
    title: 'Record a vendor’s response to a claim',
    access: WriteClaims,
    body: z.object({ state: input.choice(['accepted', 'refused']) }),
    returns: item(ClaimView),
    load: (ctx, { id }) => lock(ctx, Claims, id),
    handle: (ctx, { item: claim, body: { state } }) => {
      if (claim.state !== 'sent') throw conflict('The claim has already been answered');
      return showOne(ctx, ClaimView, change(ctx, Claims, claim, { state, answered_at: ctx.now }));
    },
  }),
];
