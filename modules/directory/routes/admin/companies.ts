import {
  admin,
  administrators,
  change,
  created,
  findOr404,
  input,
  item,
  list,
  lock,
  nothing,
  pageOf,
  remove,
  z,
} from '@keelson/core';
import { languageInput, LanguageShape } from '@keelson/core/plugin';
import { CompanyActivity, importRoutes } from '@keelson/core/record';
import { CompanyItem, Companies, createCompany } from '../../companies/companies.ts';
import { CompanyDetail, readCompany } from '../../companies/company-detail.ts';
import { companyDetails, companyFields } from '../../companies/company-fields.ts';
import { CompanyImport } from '../../companies/company-import.ts';
import { changeModules } from '../../companies/company-modules.ts';
import { companyStatuses } from '../../entities/company.ts';
import { changeCompanyLanguage, showCompanyLanguage } from '../../languages.ts';
import { ReadCompanies, WriteCompanies } from '../../permissions.ts';

const ModuleMap = z.record(z.string(), z.boolean());
export default [
  admin.get('/companies.php', {
    title: 'List companies',
    access: ReadCompanies,
    query: admin.paging(CompanyItem.query),
    returns: list(CompanyItem),
    handle: (ctx, { query }) => pageOf(ctx, CompanyItem, query),
  }),
  admin.post('/companies.php', {
    title: 'Create a company',
    access: WriteCompanies,
    body: z.object(companyFields),
    returns: created(CompanyDetail),
    handle: async (ctx, { body }) => readCompany(ctx, await createCompany(ctx, body)),
  }),
  admin.get('/companies.php?id={id}', {
    title: 'Read a company with its sites and statistics',
    access: ReadCompanies,
    returns: item(CompanyDetail),
    load: (ctx, { id }) => findOr404(ctx, Companies, id),
    handle: (ctx, { item: company }) => readCompany(ctx, company),
  }),
  admin.put('/companies.php?id={id}', {
    title: 'Update a company',
    access: WriteCompanies,
    body: input.changes({
      customer: input.text(255, { compared: true }),
      ...companyDetails,
      status: input.choice(companyStatuses),
    }),
    returns: item(CompanyDetail),
    load: (ctx, { id }) => lock(ctx, Companies, id),
    handle: async (ctx, { item: company, body }) => readCompany(ctx, await change(ctx, Companies, company, body)),
  }),
  admin.delete('/companies.php?id={id}', {
    title: 'Delete a company',
    access: administrators(WriteCompanies),
    returns: nothing(),
    load: (ctx, { id }) => lock(ctx, Companies, id),
    handle: (ctx, { item: company }) => remove(ctx, Companies, company),
  }),
  admin.get('/companies.php?action=modules&id={id}', {
    title: 'Read a company’s modules',
    access: ReadCompanies,
    returns: item(ModuleMap),
    load: (ctx, { id }) => findOr404(ctx, Companies, id),
    handle: (ctx, { item: company }) => ctx.app.switches.of(ctx, company.company_number),
  }),
  admin.put('/companies.php?action=modules&id={id}', {
    title: 'Enable or disable a company’s modules',
    access: WriteCompanies,
    body: input.changes({ modules: z.record(z.string(), z.boolean()) }),
    returns: item(ModuleMap),
    load: (ctx, { id }) => findOr404(ctx, Companies, id),
    handle: (ctx, { item: company, body }) => changeModules(ctx, company, body.modules ?? {}),
  }),
  admin.get('/companies.php?action=language&id={id}', {
    title: 'Read a company’s language',
    addition: true,
    access: ReadCompanies,
    returns: item(LanguageShape),
    load: (ctx, { id }) => findOr404(ctx, Companies, id),
    handle: (ctx, { item: company }) => showCompanyLanguage(ctx, company),
  }),
  admin.put('/companies.php?action=language&id={id}', {
    title: 'Set a company’s language',
    addition: true,
    access: WriteCompanies,
    body: languageInput(),
    returns: item(LanguageShape),
    load: (ctx, { id }) => lock(ctx, Companies, id),
    handle: (ctx, { item: company, body }) => changeCompanyLanguage(ctx, company, body),
  }),
  admin.get('/companies.php?action=activity&id={id}', {
    title: 'List the activity of a company',
    addition: true,
    access: ReadCompanies,
    query: admin.paging({}),
    returns: list(CompanyActivity),
    load: (ctx, { id }) => findOr404(ctx, Companies, id),
    handle: (ctx, { item: { company_number }, query }) => pageOf(ctx, CompanyActivity, { ...query, company_number }),
  }),
  ...importRoutes(admin, '/companies.php', CompanyImport),
];
