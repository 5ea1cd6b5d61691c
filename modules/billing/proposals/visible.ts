// The proposals visible to customers: those sent to their company, never drafts.
import { is, type Context, type EmployeeActor } from '@keelson/core';
import { ownCompany } from '../visible.ts';
import { proposalStatuses } from './entities.ts';

const sent = proposalStatuses.filter((each) => each !== 'draft');

export const sentToOwnCompany = (ctx: Context<EmployeeActor>) => [...ownCompany(ctx), is('status', sent)];
