// Attachments of companies: signed forms, floor plans, instructions. Customers do not see them.
import { attachments } from '@keelson/core';
import { Companies, CompanyItem } from './companies/companies.ts';
import { ReadCompanies, WriteCompanies } from './permissions.ts';

export const CompanyAttachments = attachments(Companies, {
  company: (company) => company.company_number,
  call: (company) => company.customer,
  admin: { path: '/companies.php', read: ReadCompanies, write: WriteCompanies, view: CompanyItem },
});
