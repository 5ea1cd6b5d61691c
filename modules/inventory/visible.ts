// Visibility for customers: every signed-in person sees their own company's records (Z-15).
import { is, type Context, type EmployeeActor } from '@keelson/core';

export const ownCompany = ({ actor }: Context<EmployeeActor>) => [is('company_number', actor.company_number)];
