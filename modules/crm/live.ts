import { liveRecord, type Access, type Admin } from '@keelson/core';
import { ReadContacts } from '@keelson/modules/directory';
import { ReadReports } from '@keelson/modules/reports';
import { CrmContact } from './contacts/entities.ts';
import { CustomField } from './custom-fields/entities.ts';
import { Lead } from './leads/entities.ts';
import { Opportunity } from './opportunities/entities.ts';
import { Prospect } from './prospects/entities.ts';

/** Technicians read the whole CRM in the console; keys of this surface read only its shortcuts (N-13). */
const inConsole: Access<Admin> = Object.freeze({
  title: 'technician session',
  allows: ({ kind }: Admin) => kind === 'technician',
});

// Activities and notes count as changes of their record.
export default [
  liveRecord(Lead, { admin: ReadContacts }),
  liveRecord(Opportunity, { admin: ReadReports }),
  liveRecord(CrmContact, { admin: inConsole }),
  liveRecord(Prospect, { admin: inConsole }),
  liveRecord(CustomField, { admin: inConsole }),
];
