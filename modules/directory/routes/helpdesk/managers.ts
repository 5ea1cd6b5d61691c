import {
  added,
  created,
  helpdesk,
  input,
  invalid,
  item,
  itAdmin,
  list,
  nothing,
  param,
  remove,
  z,
} from '@keelson/core';
import {
  AvailableEmployee,
  Group,
  GroupDetail,
  GroupPerson,
  listAvailable,
  listGroups,
  readGroup,
} from '../../groups/group-detail.ts';
import { groupCode, groupFields } from '../../groups/group-fields.ts';
import { addPerson, removePerson } from '../../groups/group-people.ts';
import { createGroup, findGroup, Groups, updateGroup } from '../../groups/groups.ts';
import type { GroupRole } from '../../groups/memberships.ts';

const NewGroup = z.object({ ...groupFields, code: groupCode });
const Person = z.object({ employee_id: input.optional(input.id()), employee_number: input.optional(input.id()) });

export default [
  helpdesk.get('/managers', {
    title: 'List manager groups',
    access: itAdmin,
    query: helpdesk.paging({}, { whole: true }),
    returns: list(Group, 'managers'),
    handle: (ctx, { query }) => listGroups(ctx, query),
  }),
  helpdesk.get('/managers/{code:text}', {
    title: 'Read a manager group',
    access: itAdmin,
    returns: item(GroupDetail),
    load: (ctx, { code }) => findGroup(ctx, ctx.actor.company_number, code),
    handle: (ctx, { item: group }) => readGroup(ctx, group),
  }),
  helpdesk.post('/managers', {
    title: 'Create a manager group',
    access: itAdmin,
    body: NewGroup,
    returns: created(GroupDetail),
    handle: async (ctx, { body }) => readGroup(ctx, await createGroup(ctx, ctx.actor.company_number, body)),
  }),
  helpdesk.put('/managers/{code:text}', {
    title: 'Update a manager group',
    access: itAdmin,
    body: input.changes(groupFields),
    returns: item(GroupDetail),
    load: (ctx, { code }) => findGroup(ctx, ctx.actor.company_number, code),
    handle: async (ctx, { item: group, body }) => readGroup(ctx, await updateGroup(ctx, group, body)),
  }),
  helpdesk.delete('/managers/{code:text}', {
    title: 'Delete a manager group',
    access: itAdmin,
    returns: nothing(),
    load: (ctx, { code }) => findGroup(ctx, ctx.actor.company_number, code),
    handle: (ctx, { item: group }) => remove(ctx, Groups, group),
  }),
  helpdesk.get('/managers/{code:text}/available-employees', {
    title: 'List employees available for a manager group',
    access: itAdmin,
    query: helpdesk.paging({ search: param.search() }, { whole: true }),
    returns: list(AvailableEmployee, 'employees'),
    load: (ctx, { code }) => findGroup(ctx, ctx.actor.company_number, code),
    handle: (ctx, { item: group, query }) => listAvailable(ctx, group, query),
  }),
  ...people('manager'),
  ...people('member'),
];

/** Returns the routes for one role; managers and members are added and removed the same way. */
function people(role: GroupRole) {
  return [
    helpdesk.post(`/managers/{code:text}/${role}s`, {
      title: `Add a ${role} to a manager group`,
      access: itAdmin,
      body: Person,
      returns: added(GroupPerson),
      load: (ctx, { code }) => findGroup(ctx, ctx.actor.company_number, code),
      async handle(ctx, { item: group, body }) {
        const number = body.employee_id ?? body.employee_number;
        if (number === undefined) throw invalid('employee_id is required');
        const result = await addPerson(ctx, group, number, role);
        return { row: { ...result.employee, code: group.code, role }, added: result.added };
      },
    }),
    helpdesk.delete(`/managers/{code:text}/${role}s/{employee_id}`, {
      title: `Remove a ${role} from a manager group`,
      access: itAdmin,
      returns: nothing(),
      load: (ctx, { code }) => findGroup(ctx, ctx.actor.company_number, code),
      handle: (ctx, { item: group, params }) => removePerson(ctx, group, params.employee_id, role),
    }),
  ];
}
