// The invoices visible to customers: those sent to their company, never drafts, nor voided drafts (B-03).
import { is, type Context, type EmployeeActor } from '@keelson/core';

export const ownCompany = ({ actor }: Context<EmployeeActor>) => [is('company_number', actor.company_number)];
export const issuedToOwnCompany = (ctx: Context<EmployeeActor>) => [...ownCompany(ctx), is('issued', 1)];
