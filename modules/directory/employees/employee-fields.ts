// Input fields of a person, in bodies, forms and files.
import { input, z } from '@keelson/core';
import type { ImportColumn } from '@keelson/core/files';
import { assetEdits, employeeStatuses } from '../entities/employee.ts';

const contact = {
  first_name: input.text(255),
  last_name: input.text(255),
  email: input.email(),
  phone: input.phone(),
  mobile: input.phone(),
  title: input.optionalText(255).meta({ title: 'Job title' }),
};

/** Fields that anyone with the right to change people may set (F-01). */
export const placeAndRights = {
  department: input.optionalText(255),
  site_number: input.clearable(input.id()),
  status: input.optional(input.choice(employeeStatuses)),
  ismgr: input.optional(input.flag()),
  it_privileges: input.optional(input.flag()),
  can_create_tickets: input.optional(input.flag()),
  can_view_billing: input.optional(input.flag()),
  asset_edit: input.optional(input.choice(assetEdits)),
};

export const employeeFields = { ...contact, ...placeAndRights, password: input.optional(input.secret()) };

/** A row of a file. On the administrative surface, each may name its company. */
export const EmployeeRow = z.object({ ...employeeFields, company_number: input.optional(input.id()) });
export type EmployeeRow = z.output<typeof EmployeeRow>;

/** Each hash takes a quarter of a second of CPU time, so larger files must set passwords in parts. */
export const MOST_PASSWORDS = 200;

/** The columns of the template (F-06) and of import files. */
export const employeeColumns: readonly ImportColumn[] = Object.freeze<ImportColumn[]>([
  {
    name: 'first_name',
    label: 'First name',
    type: 'text',
    required: true,
    or: 'full_name',
    max_length: 255,
    sample: 'Erin',
    aliases: ['given name', 'first name [required]', 'firstname', 'vorname', 'prénom', 'rufname'],
  },
  {
    name: 'last_name',
    label: 'Last name',
    type: 'text',
    required: true,
    or: 'full_name',
    max_length: 255,
    sample: 'Example',
    aliases: [
      'surname',
      'family name',
      'last name [required]',
      'lastname',
      'nachname',
      'nom',
      'familienname',
      'nom de famille',
    ],
  },
  {
    name: 'email',
    label: 'Email',
    type: 'email',
    required: true,
    max_length: 254,
    sample: 'erin@example.com',
    aliases: [
      'e-mail',
      'mail',
      'email address',
      'e-mail address',
      'email address [required]',
      'user principal name',
      'e-mail 1 - value',
      'primary email',
      'emails',
      'e-mail-adresse',
      'emailadresse',
      'adresses de messagerie',
      'adresse de messagerie',
      'username',
      'login',
    ],
  },
  {
    name: 'phone',
    label: 'Phone',
    type: 'text',
    max_length: 32,
    sample: '+1 555 0100',
    aliases: [
      'phone number',
      'telephone',
      'telephone number',
      'business phone',
      'work phone',
      'office phone',
      'phone 1 - value',
      'telefon',
      'telefonnummer',
      'telefon geschäftlich',
      'rufnummer',
      'téléphone',
    ],
  },
  {
    name: 'mobile',
    label: 'Mobile',
    type: 'text',
    max_length: 32,
    sample: '+1 555 0101',
    aliases: [
      'mobile phone',
      'mobile number',
      'cell',
      'cell phone',
      'mobile phone number',
      'phone 2 - value',
      'handy',
      'mobiltelefon',
      'mobil',
      'mobilnummer',
      'téléphone portable',
    ],
  },
  {
    name: 'title',
    ahead: ['job title', 'employee title'],
    label: 'Job title',
    type: 'text',
    max_length: 255,
    sample: 'Accountant',
    aliases: [
      'job title',
      'position',
      'employee title',
      'organization title',
      'role',
      'funktion',
      'stellung',
      'fonction',
    ],
  },
  {
    name: 'department',
    label: 'Department',
    type: 'text',
    max_length: 255,
    sample: 'Finance',
    aliases: ['dept', 'organization department', 'division', 'abteilung'],
  },
  { name: 'site_number', label: 'Site number', type: 'integer' },
  {
    name: 'status',
    label: 'Status',
    type: 'choice',
    options: employeeStatuses,
    synonyms: {
      Active: ['enabled', 'true', 'yes', '1', 'aktiv', 'ja', 'actif', 'oui'],
      Inactive: [
        'disabled',
        'false',
        'no',
        '0',
        'suspended',
        'blocked',
        'archived',
        'inaktiv',
        'nein',
        'inactif',
        'non',
      ],
    },
    sample: 'Active',
    aliases: ['status [read only]', 'account enabled', 'enabled', 'active', 'isactive', 'aktiv', 'actif'],
  },
  { name: 'ismgr', label: 'Manager', type: 'boolean', sample: false },
  { name: 'it_privileges', label: 'IT admin', type: 'boolean', sample: false },
  { name: 'can_create_tickets', label: 'May create tickets', type: 'boolean', sample: true },
  { name: 'can_view_billing', label: 'May view billing', type: 'boolean', sample: false },
  { name: 'asset_edit', label: 'Assets', type: 'choice', options: assetEdits, sample: 'None' },
  { name: 'password', label: 'Password', type: 'password', max_length: 128, most: MOST_PASSWORDS },
]);

/** Columns of files only, whose headers come from this product or other programs. */
const filesOnly = true;

const companyColumns: readonly ImportColumn[] = [
  { name: 'company_number', label: 'Company number', type: 'integer' },
  {
    name: 'company_name',
    label: 'Company',
    type: 'text',
    filesOnly,
    aliases: [
      'client',
      'client name',
      'customer',
      'organization',
      'organization name',
      'entity',
      'account name',
      'firma',
      'kunde',
      'kundenname',
      'société',
    ],
  },
];

/** Whether another program refuses the person's sign-in. */
const blockedColumn: ImportColumn = Object.freeze<ImportColumn>({
  name: 'blocked',
  label: 'Sign-in blocked',
  type: 'boolean',
  filesOnly,
  aliases: ['block credential', 'sign-in blocked', 'disabled', 'inactive', 'suspended', 'gesperrt', 'inaktiv'],
});

/** Columns of a file of colleagues, all of the same company. */
export const colleagueColumns: readonly ImportColumn[] = Object.freeze<ImportColumn[]>([
  ...employeeColumns,
  {
    name: 'site_name',
    label: 'Site',
    type: 'text',
    filesOnly,
    aliases: [
      'site',
      'location',
      'office',
      'branch',
      'office location',
      'site name',
      'standort',
      'niederlassung',
      'büro',
      'lieu',
    ],
  },
  {
    name: 'full_name',
    label: 'Full name',
    type: 'text',
    filesOnly,
    aliases: [
      'display name',
      'name',
      'contact name',
      'user',
      'real name',
      'vollständiger name',
      'anzeigename',
      'nom complet',
    ],
  },
  blockedColumn,
]);

export const contactColumns: readonly ImportColumn[] = Object.freeze<ImportColumn[]>([
  ...colleagueColumns,
  ...companyColumns,
]);

/** A row of a file of colleagues. */
export const ColleagueRow = z.object({ ...employeeFields, site_name: input.optionalText(255) });

/** A row of a contact file that may have names in place of numbers. */
export const ContactRow = EmployeeRow.extend({
  company_name: input.optionalText(255),
  site_name: input.optionalText(255),
});

interface PersonRow {
  full_name?: unknown;
  first_name?: unknown;
  last_name?: unknown;
  blocked?: unknown;
  status?: unknown;
}

/** Derives the fields of a person from those that only files have. */
export function derivePerson(row: PersonRow): void {
  splitName(row);
  if (row.blocked === true) row.status ??= 'Inactive';
  delete row.blocked;
}

/** Splits a full name: `Ann van Dyke` is Ann, `van Dyke`; `Lee, Ann` is Ann Lee. */
function splitName(row: PersonRow): void {
  const { full_name, first_name, last_name } = row;
  delete row.full_name;
  if (typeof full_name !== 'string' || (first_name !== undefined && last_name !== undefined)) return;
  const [before = '', after] = full_name.split(',').map((each) => each.trim());
  const [first = '', ...rest] = (after ? `${after} ${before}` : before).split(/\s+/);
  row.first_name ??= first;
  row.last_name ??= rest.length > 0 ? rest.join(' ') : first;
}
