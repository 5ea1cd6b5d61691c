import { job } from '@keelson/core';
import { createDue, planAnew } from './recurring/create-due.ts';

export default [job('planned.create', '* * * * *', createDue), job('planned.plan', '30 * * * *', planAnew)];
