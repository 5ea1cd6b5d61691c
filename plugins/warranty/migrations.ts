import { choice, id, migration, ref, text, when } from '@keelson/core';

export default [
  // Initial table. Later changes are separate migrations; never edit this one.
  migration('1795262400000-warranty-claims', async (m) => {
    await m.createTable(
      'warranty_claim',
      {
        claim_id: id(),
        company_number: ref('company.company_number'),
        ticket_id: ref('ticket.ticket_id'),
        vendor: text(120),
        product: text(120),
        state: choice('sent', 'accepted', 'refused').default('sent'),
        created_at: when(),
        answered_at: when().nullable(),
        chased_at: when().nullable(),
      },
      [
        ['company_number', 'state', 'created_at'],
        ['company_number', 'created_at'],
        ['state', 'created_at'],
        ['state', 'chased_at', 'created_at'],
        ['created_at'],
      ],
    );
  }),
];
