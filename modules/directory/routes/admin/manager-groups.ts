// Additions: technicians look after the groups of every company (NW-15).
import { admin, created, input, item, list, nothing, param, z } from '@keelson/core';
import { groupCode, groupFields } from '../../group-fields.ts';
import { createCompanyGroup, listAllGroups, readCompanyGroup } from '../../group-list.ts';
import { deleteGroup, findGroup, updateGroup } from '../../groups.ts';
import { ReadContacts, WriteContacts } from '../../permissions.ts';
import { Group, GroupDetail } from '../../shapes.ts';

const company = { company_number: z.int(), company_name: z.string() };
const one = '/manager-groups.php?id={code:text}&company_number={company_number}';

export default [
  admin.get('/manager-groups.php', {
    title: 'List the manager groups of all companies',
    addition: true,
    access: ReadContacts,
    query: admin.paging({ company_number: param.id(), search: param.search() }),
    returns: list(Group.extend(company)),
    handle: (ctx, { query }) => listAllGroups(ctx, query),
  }),
  admin.post('/manager-groups.php', {
    title: 'Create a company’s manager group',
    addition: true,
    access: WriteContacts,
    body: z.object({ company_number: input.id(), ...groupFields, code: groupCode }),
    returns: created(GroupDetail.extend(company)),
    handle: async (ctx, { body }) => readCompanyGroup(ctx, await createCompanyGroup(ctx, body)),
  }),
  admin.get(one, {
    title: 'Read a company’s manager group',
    addition: true,
    access: ReadContacts,
    returns: item(GroupDetail.extend(company)),
    load: (ctx, { company_number, code }) => findGroup(ctx, company_number, code),
    handle: (ctx, { item: group }) => readCompanyGroup(ctx, group),
  }),
  admin.put(one, {
    title: 'Update a company’s manager group',
    addition: true,
    access: WriteContacts,
    body: input.changes(groupFields),
    returns: item(GroupDetail.extend(company)),
    load: (ctx, { company_number, code }) => findGroup(ctx, company_number, code),
    handle: async (ctx, { item: group, body }) => readCompanyGroup(ctx, await updateGroup(ctx, group, body)),
  }),
  admin.delete(one, {
    title: 'Delete a company’s manager group',
    addition: true,
    access: WriteContacts,
    returns: nothing(),
    load: (ctx, { company_number, code }) => findGroup(ctx, company_number, code),
    handle: (ctx, { item: group }) => deleteGroup(ctx, group),
  }),
];
