import { input, z } from '@keelson/core';

// Labels of letters, digits and hyphens in any script; the last label starts with a letter.
const NAME = /^(?:[\p{L}\p{N}_](?:[\p{L}\p{M}\p{N}_-]{0,61}[\p{L}\p{M}\p{N}])?\.)+\p{L}[\p{L}\p{M}\p{N}-]{0,61}$/u;

/** Domain or server name in lower case: `example.com`. */
export const domainName = () =>
  input
    .text(253)
    .overwrite((text) => text.toLowerCase().replace(/\.$/, ''))
    .refine((text) => NAME.test(text), 'must be a domain name, such as example.com');

/** Input fields of a domain, in bodies, forms and files. */
export const domainFields = {
  company_number: input.id(),
  domain_name: domainName(),
  registrar: input.optionalText(255),
  registered_at: input.clearable(input.day()),
  expires_at: input.clearable(input.day()),
  auto_renew: input.optional(input.flag()),
  name_servers: z.array(domainName()).max(20).optional(),
  notes: input.optionalLongText(),
  customer_notes: input.optionalLongText(),
};
