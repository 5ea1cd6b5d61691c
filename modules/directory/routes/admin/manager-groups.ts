// Additions: technicians manage the groups of every company (NW-15).
import { admin, created, input, item, list, nothing, remove, z } from '@keelson/core';
import { CompanyGroup, CompanyGroupDetail, listCompanyGroups, readCompanyGroup } from '../../groups/group-detail.ts';
import { groupCode, groupFields } from '../../groups/group-fields.ts';
import { CompanyGroupItem, createCompanyGroup, findGroup, Groups, updateGroup } from '../../groups/groups.ts';
import { AccessContacts, ReadContacts } from '../../permissions.ts';

const one = '/manager-groups.php?id={code:text}&company_number={company_number}';

export default [
  admin.get('/manager-groups.php', {
    title: 'List the manager groups of all companies',
    addition: true,
    access: ReadContacts,
    query: admin.paging(CompanyGroupItem.query),
    returns: list(CompanyGroup),
    handle: (ctx, { query }) => listCompanyGroups(ctx, query),
  }),
  admin.post('/manager-groups.php', {
    title: 'Create a company’s manager group',
    addition: true,
    access: AccessContacts,
    body: z.object({ company_number: input.id(), ...groupFields, code: groupCode }),
    returns: created(CompanyGroupDetail),
    handle: async (ctx, { body }) => readCompanyGroup(ctx, await createCompanyGroup(ctx, body)),
  }),
  admin.get(one, {
    title: 'Read a company’s manager group',
    addition: true,
    access: ReadContacts,
    returns: item(CompanyGroupDetail),
    load: (ctx, { company_number, code }) => findGroup(ctx, company_number, code),
    handle: (ctx, { item: group }) => readCompanyGroup(ctx, group),
  }),
  admin.put(one, {
    title: 'Update a company’s manager group',
    addition: true,
    access: AccessContacts,
    body: input.changes(groupFields),
    returns: item(CompanyGroupDetail),
    load: (ctx, { company_number, code }) => findGroup(ctx, company_number, code),
    handle: async (ctx, { item: group, body }) => readCompanyGroup(ctx, await updateGroup(ctx, group, body)),
  }),
  admin.delete(one, {
    title: 'Delete a company’s manager group',
    addition: true,
    access: AccessContacts,
    returns: nothing(),
    load: (ctx, { company_number, code }) => findGroup(ctx, company_number, code),
    handle: (ctx, { item: group }) => remove(ctx, Groups, group),
  }),
];
