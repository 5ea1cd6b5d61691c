// Attachments of contracts. A signed contract says more than what all of a company may see of it, so its IT admins read
// them; nobody of the company changes a contract.
import { attachments, itAdmin } from '@keelson/core';
import { ContractItem, Contracts, PortalContract } from './contracts/contracts.ts';
import { ReadContracts, WriteContracts } from './permissions.ts';

export const ContractAttachments = attachments(Contracts, {
  company: (contract) => contract.company_number,
  call: (contract) => contract.name,
  admin: { path: '/contracts.php', read: ReadContracts, write: WriteContracts, view: ContractItem },
  helpdesk: { path: '/contracts', read: itAdmin, view: PortalContract },
});
