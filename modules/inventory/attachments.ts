// Attachments of contracts. Only the company's IT admins can read them, because a signed contract contains more than
// all employees may see. Customers cannot change contracts.
import { attachments, itAdmin } from '@keelson/core';
import { ContractItem, Contracts, PortalContract } from './contracts/contracts.ts';
import { ReadContracts, WriteContracts } from './permissions.ts';

export const ContractAttachments = attachments(Contracts, {
  company: (contract) => contract.company_number,
  call: (contract) => contract.name,
  admin: { path: '/contracts.php', read: ReadContracts, write: WriteContracts, view: ContractItem },
  helpdesk: { path: '/contracts', read: itAdmin, view: PortalContract },
});
