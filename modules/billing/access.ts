import type { Access, EmployeeActor } from '@keelson/core';

/** Access for those who may see their company's bills (Z-09). The switch of the module comes before it. */
export const seesBilling: Access<EmployeeActor> = Object.freeze({
  title: 'can_view_billing',
  allows: (actor: EmployeeActor) => actor.can_view_billing,
  refusal: 'You may not see billing',
});
