import { itAdmin, portalPart } from '@keelson/core';

const access = itAdmin;
const fields = [
  'first_name',
  'last_name',
  'email',
  'phone',
  'mobile',
  'title',
  'department',
  'status',
  'ismgr',
  'it_privileges',
  'can_create_tickets',
  'can_view_billing',
  'asset_edit',
] as const;

export default portalPart(import.meta.dirname, {
  pages: [
    { path: '/people/groups', title: 'Manager groups', file: 'groups', access, nav: { icon: 'users', order: 81 } },
    { path: '/people/groups/:code', title: 'Manager group', file: 'group', access },
  ],
  lists: [
    {
      path: '/people',
      title: 'People',
      access,
      nav: { icon: 'users', order: 80 },
      list: 'GET /employees',
      id: 'employee_number',
      columns: ['last_name', 'first_name', 'email', 'department', 'title', 'status'],
      filters: ['status'],
      open: '/people/:id',
      create: { title: 'New person', operation: 'POST /employees', access, fields },
    },
  ],
  sheets: [
    {
      path: '/people/:id',
      title: 'Person',
      access,
      read: 'GET /employees/{id}',
      heading: 'first_name last_name',
      facts: [
        'email',
        'phone',
        'mobile',
        'title',
        'department',
        'site_name',
        'status',
        'ismgr',
        'it_privileges',
        'can_create_tickets',
        'can_view_billing',
        'asset_edit',
        'open_tickets',
      ],
      change: { operation: 'PUT /employees/{id}', access, fields },
    },
  ],
  records: [
    {
      type: 'employee',
      title: 'Person',
      path: '/people/:id',
      icon: 'user',
      access,
      read: 'GET /employees/{id}',
      find: 'GET /employees',
      name: 'first_name last_name',
      id: 'employee_number',
      search: 'employees',
    },
    {
      type: 'manager_group',
      title: 'Manager group',
      path: '/people/groups/:code',
      icon: 'users',
      access,
      read: 'GET /managers/{code}',
      find: 'GET /managers',
      name: 'name',
      id: 'code',
    },
  ],
});
