import { admin, list } from '@keelson/core';
import { findCompany } from '@keelson/modules/directory';
import { ReadBilling } from '../../permissions.ts';
import { StatementItem, statementsOf } from '../../statements/statements.ts';

export default [
  admin.get('/billing/statements.php?company_number={id}', {
    title: 'List the statements of a company',
    addition: true,
    access: ReadBilling,
    query: admin.paging({}),
    returns: list(StatementItem),
    load: (ctx, { id }) => findCompany(ctx, id),
    handle: (ctx, { item: { company_number }, query }) => statementsOf(ctx, company_number, query),
  }),
];
