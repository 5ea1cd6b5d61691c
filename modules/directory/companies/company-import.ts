// Imports of companies.
import { nounImport } from '@keelson/core/record';
import { WriteCompanies } from '../permissions.ts';
import { Companies, createCompany } from './companies.ts';
import { companyFields } from './company-fields.ts';

export const CompanyImport = nounImport('companies', Companies, {
  title: 'Companies',
  access: WriteCompanies,
  fields: companyFields,
  identity: ['customer'],
  create: createCompany,
  columns: [
    {
      name: 'customer',
      label: 'Name',
      type: 'text',
      required: true,
      max_length: 255,
      sample: 'Harbour Dental',
      aliases: [
        'company',
        'company name',
        'client name',
        'client',
        'account name',
        'organization',
        'completename',
        'firma',
        'kunde',
        'kundenname',
        'firmenname',
        'name',
      ],
    },
    {
      name: 'address',
      label: 'Address',
      type: 'text',
      aliases: ['street', 'street address', 'location address', 'business street', 'address line 1', 'straße'],
    },
    {
      name: 'zip',
      label: 'Postal code',
      type: 'text',
      aliases: ['zip code', 'postcode', 'location zip', 'business postal code', 'plz'],
    },
    { name: 'city', label: 'City', type: 'text', aliases: ['town', 'location city', 'business city', 'ort', 'stadt'] },
    {
      name: 'state',
      label: 'State or province',
      type: 'text',
      aliases: ['state', 'province', 'county', 'location state', 'business state', 'bundesland'],
    },
    {
      name: 'country',
      label: 'Country',
      type: 'text',
      aliases: ['country region', 'location country', 'business country', 'land'],
    },
    {
      name: 'phone',
      label: 'Phone',
      type: 'text',
      aliases: [
        'phone number',
        'telephone',
        'main phone',
        'location phone',
        'company main phone',
        'business phone',
        'telefon',
      ],
    },
    {
      name: 'email',
      label: 'E-mail',
      type: 'email',
      aliases: ['email address', 'e-mail address', 'main email', 'contact email', 'mail', 'e-mail-adresse'],
    },
    {
      name: 'website',
      label: 'Website',
      type: 'text',
      aliases: ['web site', 'web page', 'url', 'homepage', 'domain', 'webseite', 'internetseite'],
    },
    { name: 'industry', label: 'Industry', type: 'text', aliases: ['client type', 'type', 'sector', 'branche'] },
    { name: 'status', label: 'Status', type: 'choice', options: ['active', 'inactive'] },
    {
      name: 'notes',
      label: 'Notes',
      type: 'text',
      aliases: ['comment', 'comments', 'description', 'remarks', 'notizen', 'bemerkung', 'bemerkungen'],
    },
  ],
});
