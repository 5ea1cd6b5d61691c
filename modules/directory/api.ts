export { hasApprover, readApprovalRules, readApprovers, teamOf, type ApprovalRule } from './groups/approvers.ts';
export { companiesAfter, createCompany, findCompany } from './companies/companies.ts';
export { EmployeeAssets } from './employees/employee-detail.ts';
export { holdCompanies } from './employees/employee-batch-check.ts';
export { changeModules } from './companies/company-modules.ts';
export { addAddress, findByAddress, findCompaniesByDomain, listAddresses } from './employees/addresses.ts';
export { addContact } from './employees/employee-edit.ts';
export { createEmployee, updateEmployee, type EmployeeChanges } from './employees/employees.ts';
export { Departments, Industries } from './dropdowns.ts';
export { Company } from './entities/company.ts';
export { Employee } from './entities/employee.ts';
export { changeOwnLanguage, changeTechnicianLanguage, readOwnLanguage, readTechnicianLanguage } from './languages.ts';
export { ManagerGroup, ManagerGroupPerson } from './entities/group.ts';
export { Site } from './entities/site.ts';
export { Technician } from './entities/technician.ts';
export { ApproversChanged, EmployeeDeleted, TechnicianLeft } from './events.ts';
export { createGroup } from './groups/groups.ts';
export { CompanyNames, EmployeeNames, SiteNames, TechnicianNames } from './names.ts';
export {
  codeAccount,
  forgetGuesses,
  newHash,
  passwordAccount,
  renewEmployeeHash,
  renewTechnicianHash,
  storeEmployeePassword,
  storeTechnicianPassword,
} from './sign-in/passwords.ts';
export { HasIdentity, tellEmployee, tellTechnician } from './sign-in/told.ts';
export { findColleague, findEmployee } from './employees/employees.ts';
export { AccessContacts, ReadCompanies, ReadContacts, WriteCompanies, WriteContacts } from './permissions.ts';
export {
  activeCompany,
  isInCharge,
  readBillingPeople,
  readPeople,
  readManagers,
  countInCharge,
  readCompaniesInCharge,
  readPeopleInCharge,
  readRecipient,
  type Recipient,
} from './employees/recipients.ts';
export { withNumbers } from './import-names.ts';
export { checkPlace, holdCompany, readReferences, type References } from './references.ts';
export {
  deletedEmployees,
  deletedTechnicians,
  employeeColumns,
  joinEmployee,
  joinTechnician,
  technicianColumns,
} from './sign-in/sessions.ts';
export { createSite } from './sites/sites.ts';
export { availabilities, availabilityOf, type Availability } from './technicians/availability.ts';
export {
  createTechnician,
  deleteTechnician,
  findTechnician,
  listTechnicians,
  touchTechnician,
  setBusy,
  updateTechnician,
  type TechnicianChanges,
  type TechnicianFilter,
} from './technicians/technicians.ts';
