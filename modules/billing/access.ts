// Who sees billing on the helpdesk surface (Z-09); whether the company has the module is asked of every route.
import type { Access, EmployeeActor } from '@keelson/core';

/** Access for those who may see their company's billing. */
export const billingViewer: Access<EmployeeActor> = Object.freeze({
  title: 'can_view_billing',
  allows: (actor: EmployeeActor) => actor.can_view_billing,
  refusal: 'You may not see billing',
});
