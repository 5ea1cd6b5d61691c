// What customers see: their own company's records, for anybody who is signed in (Z-15).
import { is, type Context, type EmployeeActor } from '@keelson/core';

export const ownCompany = ({ actor }: Context<EmployeeActor>) => [is('company_number', actor.company_number)];
