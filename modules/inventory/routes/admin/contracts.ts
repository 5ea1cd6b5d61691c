import { admin, nounRoutes } from '@keelson/core';
import { importRoutes } from '@keelson/core/record';
import { ContractDetail, readContract } from '../../contracts/contract-detail.ts';
import { contractFields } from '../../contracts/contract-fields.ts';
import { ContractImport } from '../../contracts/contract-import.ts';
import { ContractItem, Contracts, createContract, updateContract } from '../../contracts/contracts.ts';
import { ReadContracts, WriteContracts } from '../../permissions.ts';

export default [
  ...nounRoutes(admin, '/contracts.php?id={id}', Contracts, {
    titles: {
      list: 'List contracts',
      create: 'Create a contract',
      read: 'Read a contract with its assets and renewal',
      update: 'Update a contract',
      delete: 'Delete a contract',
    },
    read: ReadContracts,
    write: WriteContracts,
    view: ContractItem,
    detail: { shape: ContractDetail, show: readContract },
    fields: contractFields,
    create: (ctx, { included_hours: included_minutes, ...given }) =>
      createContract(ctx, { ...given, included_minutes }),
    change: (ctx, contract, { included_hours: included_minutes, ...wanted }) =>
      updateContract(ctx, contract, { ...wanted, included_minutes }),
  }),
  ...importRoutes(admin, '/contracts.php', ContractImport),
];
