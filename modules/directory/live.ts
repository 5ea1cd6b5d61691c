import { itAdmin, liveRecord, signedIn } from '@keelson/core';
import { Company } from './entities/company.ts';
import { Employee } from './entities/employee.ts';
import { ManagerGroup } from './entities/group.ts';
import { Site } from './entities/site.ts';
import { ReadCompanies, ReadContacts } from './permissions.ts';

export default [
  liveRecord(Company, { admin: ReadCompanies }),
  liveRecord(Site, { admin: ReadCompanies, helpdesk: { access: signedIn }, paths: ['/sites'] }),
  liveRecord(Employee, { admin: ReadContacts, helpdesk: { access: signedIn } }),
  liveRecord(ManagerGroup, { admin: ReadContacts, helpdesk: { access: itAdmin }, paths: ['/manager-groups.php'] }),
];
