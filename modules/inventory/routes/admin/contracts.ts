import { admin, created, findOr404, input, item, list, lock, nothing, pageOf, remove, z } from '@keelson/core';
import { ContractDetail, readContract } from '../../contracts/contract-detail.ts';
import { ContractItem, Contracts, createContract, updateContract } from '../../contracts/contracts.ts';
import { billingCycles } from '../../contracts/entities.ts';
import { assetIds } from '../../links.ts';
import { ReadContracts, WriteContracts } from '../../permissions.ts';

const required = { company_number: input.id(), name: input.text(255), start_date: input.day() };
const optional = {
  contract_number: input.optionalText(255),
  description: input.optionalLongText(),
  contract_type: input.optionalText(255),
  vendor_id: input.clearable(input.id()),
  end_date: input.clearable(input.day()),
  renewal_date: input.clearable(input.day()),
  auto_renew: input.optional(input.flag()),
  notice_days: input.optional(input.int(0, 3650)),
  value: input.clearable(input.money({ min: 0 })),
  billing_cycle: input.optional(input.choice(billingCycles)),
  notes: input.optionalLongText(),
  asset_ids: assetIds,
};

export default [
  admin.get('/contracts.php', {
    title: 'List contracts',
    access: ReadContracts,
    query: admin.paging(ContractItem.query),
    returns: list(ContractItem),
    handle: (ctx, { query }) => pageOf(ctx, ContractItem, query),
  }),
  admin.post('/contracts.php', {
    title: 'Create a contract',
    access: WriteContracts,
    body: z.object({ ...required, ...optional }),
    returns: created(ContractDetail),
    handle: async (ctx, { body }) => readContract(ctx, await createContract(ctx, body)),
  }),
  admin.get('/contracts.php?id={id}', {
    title: 'Read a contract with its assets and renewal',
    access: ReadContracts,
    returns: item(ContractDetail),
    load: (ctx, { id }) => findOr404(ctx, Contracts, id),
    handle: (ctx, { item: contract }) => readContract(ctx, contract),
  }),
  admin.put('/contracts.php?id={id}', {
    title: 'Update a contract',
    access: WriteContracts,
    body: input.changes({ ...required, ...optional }),
    returns: item(ContractDetail),
    load: (ctx, { id }) => lock(ctx, Contracts, id),
    handle: async (ctx, { item: contract, body }) => readContract(ctx, await updateContract(ctx, contract, body)),
  }),
  admin.delete('/contracts.php?id={id}', {
    title: 'Delete a contract',
    access: WriteContracts,
    returns: nothing(),
    load: (ctx, { id }) => lock(ctx, Contracts, id),
    handle: (ctx, { item: contract }) => remove(ctx, Contracts, contract),
  }),
];
