import { admin, administrators, nounRoutes } from '@keelson/core';
import { ReadSettings, WriteSettings } from '@keelson/modules/system';
import { policyFields } from '../../policies/fields.ts';
import { createPolicy, Policies, PolicyItem } from '../../policies/policies.ts';

export default nounRoutes(admin, '/levels/policies.php?id={id}', Policies, {
  addition: true,
  titles: {
    list: 'List service level policies',
    create: 'Create a service level policy',
    read: 'Read a service level policy',
    update: 'Change a service level policy',
    delete: 'Delete a service level policy',
  },
  read: ReadSettings,
  write: administrators(WriteSettings),
  view: PolicyItem,
  fields: policyFields,
  create: createPolicy,
});
