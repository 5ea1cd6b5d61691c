import { admin, administrators, created, input, item, list, nothing, param, z } from '@keelson/core';
import { createCompany, deleteCompany, findCompany, lockCompany, updateCompany } from '../../companies.ts';
import { listCompanies, readCompany } from '../../company-list.ts';
import { changeModules } from '../../company-modules.ts';
import { CompanyDetail, CompanyItem } from '../../company-shapes.ts';
import { ReadCompanies, WriteCompanies } from '../../permissions.ts';
import { ModuleMap } from '../../shapes.ts';

const statuses = ['active', 'inactive'] as const;
const fields = {
  address: input.optionalText(255),
  city: input.optionalText(255),
  state: input.optionalText(255),
  zip: input.optionalText(32),
  country: input.optionalText(255),
  phone: input.phone(),
  email: input.optionalEmail(),
  website: input.optionalUrl(),
  industry: input.optionalText(255),
  notes: input.optionalLongText(),
};

export default [
  admin.get('/companies.php', {
    title: 'List companies',
    access: ReadCompanies,
    query: admin.paging({ status: param.choice(statuses, { all: true }), search: param.search() }),
    returns: list(CompanyItem),
    handle: (ctx, { query }) => listCompanies(ctx, query),
  }),
  admin.post('/companies.php', {
    title: 'Create a company',
    access: WriteCompanies,
    body: z.object({
      customer: input.text(255, { compared: true }),
      ...fields,
      status: input.optional(input.choice(statuses)),
    }),
    returns: created(CompanyDetail),
    handle: async (ctx, { body }) => readCompany(ctx, await createCompany(ctx, body)),
  }),
  admin.get('/companies.php?id={id}', {
    title: 'Read a company with its sites and statistics',
    access: ReadCompanies,
    returns: item(CompanyDetail),
    load: (ctx, { id }) => findCompany(ctx, id),
    handle: (ctx, { item: company }) => readCompany(ctx, company),
  }),
  admin.put('/companies.php?id={id}', {
    title: 'Update a company',
    access: WriteCompanies,
    body: input.changes({ customer: input.text(255, { compared: true }), ...fields, status: input.choice(statuses) }),
    returns: item(CompanyDetail),
    load: (ctx, { id }) => lockCompany(ctx, id),
    handle: async (ctx, { item: company, body }) => readCompany(ctx, await updateCompany(ctx, company, body)),
  }),
  admin.delete('/companies.php?id={id}', {
    title: 'Delete a company',
    access: administrators(WriteCompanies),
    returns: nothing(),
    load: (ctx, { id }) => lockCompany(ctx, id),
    handle: (ctx, { item: company }) => deleteCompany(ctx, company),
  }),
  admin.get('/companies.php?action=modules&id={id}', {
    title: 'Read a company’s modules',
    access: ReadCompanies,
    returns: item(ModuleMap),
    load: (ctx, { id }) => findCompany(ctx, id),
    handle: (ctx, { item: company }) => ctx.app.switches.of(ctx, company.company_number),
  }),
  admin.put('/companies.php?action=modules&id={id}', {
    title: 'Switch a company’s modules on and off',
    access: WriteCompanies,
    body: input.changes({ modules: z.record(z.string(), z.boolean()) }),
    returns: item(ModuleMap),
    load: (ctx, { id }) => findCompany(ctx, id),
    handle: (ctx, { item: company, body }) => changeModules(ctx, company, body.modules ?? {}),
  }),
];
