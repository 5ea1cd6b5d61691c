import { job } from '@keelson/core';
import { createDue, planAnew } from './recurring/create-due.ts';

export default [
  job('planned.create', '* * * * *', createDue, { title: 'Create recurring tickets' }),
  job('planned.plan', '30 * * * *', planAnew, { title: 'Plan recurring tickets ahead' }),
];
