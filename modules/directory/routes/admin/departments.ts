import { admin, all, anyCredential, z } from '@keelson/core';
import { listDepartments } from '../../employees/departments.ts';

const Department = z.object({ department_id: z.int(), name: z.string(), employee_count: z.int() });

export default [
  admin.get('/departments.php', {
    title: 'List departments',
    access: anyCredential,
    returns: all(Department),
    handle: (ctx) => listDepartments(ctx),
  }),
];
