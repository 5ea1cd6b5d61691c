import { dropdown } from '@keelson/core';

/** Suggested contract types; the field is still free text (F-66). */
export const ContractTypes = dropdown('contract_types', {
  title: 'Contract types',
  items: [
    { value: 'managed_services', label: 'Managed services' },
    { value: 'support', label: 'Support' },
    { value: 'maintenance', label: 'Maintenance' },
    { value: 'warranty', label: 'Warranty' },
    { value: 'lease', label: 'Lease' },
    { value: 'other', label: 'Other' },
  ],
});

export default [ContractTypes];
