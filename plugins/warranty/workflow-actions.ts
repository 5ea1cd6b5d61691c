import { create, input, z } from '@keelson/core';
import { workflowAction } from '@keelson/core/plugin';
import { Claims } from './claims.ts';
import { FileClaims } from './permissions.ts';

export default [
  workflowAction('warranty.claim', {
    title: 'File a warranty claim',
    access: FileClaims,
    needs: ['ticket_id', 'company_number'],
    input: z.object({ vendor: input.text(120), product: input.text(120) }),
    run: (ctx, { input: claim, record }) =>
      create(ctx, Claims, {
        ...claim,
        ticket_id: Number(record['ticket_id']),
        company_number: Number(record['company_number']),
      }),
  }),
];
