import { admin, created, input, item, list, param, z } from '@keelson/core';
import { answerClaim, fileClaim, findClaim, listClaims } from '../claims.ts';
import { states } from '../entities.ts';
import { FileClaims, ReadClaims, WriteClaims } from '../permissions.ts';
import { ClaimShape } from '../shapes.ts';

export default [
  admin.get('/warranty/claims.php', {
    title: 'List warranty claims',
    access: ReadClaims,
    query: admin.paging({ company_number: param.id(), state: param.choice(states, { all: true }) }),
    returns: list(ClaimShape),
    handle: (ctx, { query }) => listClaims(ctx, query),
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
    returns: created(ClaimShape),
    handle: (ctx, { body }) => fileClaim(ctx, body),
  }),
  admin.get('/warranty/claims.php?id={id}', {
    title: 'Read a warranty claim',
    access: ReadClaims,
    returns: item(ClaimShape),
    load: (ctx, { id }) => findClaim(ctx, id),
    handle: (_ctx, { item: claim }) => claim,
  }),
  admin.put('/warranty/claims.php?id={id}', {
    title: 'Write down a vendor’s answer to a claim',
    access: WriteClaims,
    body: z.object({ state: input.choice(['accepted', 'refused']) }),
    returns: item(ClaimShape),
    load: (ctx, { id }) => findClaim(ctx, id),
    handle: (ctx, { item: claim, body }) => answerClaim(ctx, claim, body.state),
  }),
];
