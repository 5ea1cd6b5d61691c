// What customers see: the projects of their own company, whoever is signed in (Z-16).
import { is, type Context, type EmployeeActor } from '@keelson/core';

export const ownCompany = ({ actor }: Context<EmployeeActor>) => [is('company_number', actor.company_number)];
