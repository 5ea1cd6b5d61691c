import { admin, input, item, z } from '@keelson/core';
import { changeModules, findCompany } from '../../companies.ts';
import { ReadCompanies, WriteCompanies } from '../../permissions.ts';
import { ModuleMap } from '../../shapes.ts';

export default [
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
