// Input fields of a company, in bodies, forms and files.
import { input } from '@keelson/core';
import { companyStatuses } from '../entities/company.ts';

/** The fields of a company without its name. */
export const companyDetails = {
  address: input.optionalText(255),
  city: input.optionalText(255),
  state: input.optionalText(255).meta({ title: 'State or province' }),
  zip: input.optionalText(32),
  country: input.optionalText(255),
  phone: input.phone(),
  email: input.optionalEmail(),
  website: input.optionalUrl(),
  industry: input.optionalText(255),
  notes: input.optionalLongText(),
};

/** The fields of a new company. */
export const companyFields = {
  customer: input.text(255, { compared: true }),
  ...companyDetails,
  status: input.optional(input.choice(companyStatuses)),
};
