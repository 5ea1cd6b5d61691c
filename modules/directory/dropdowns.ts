import { dropdown } from '@keelson/core';

/** Departments offered for contacts; the field still accepts free text (D-21). */
export const Departments = dropdown('departments', {
  title: 'Departments',
  items: [
    'Administration',
    'Finance',
    'Human Resources',
    'IT',
    'Management',
    'Marketing',
    'Operations',
    'Production',
    'Sales',
    'Support',
  ],
});

export const Industries = dropdown('industries', {
  title: 'Industries',
  items: [
    'Agriculture',
    'Construction',
    'Education',
    'Finance',
    'Government',
    'Healthcare',
    'Hospitality',
    'IT and Telecommunications',
    'Legal',
    'Manufacturing',
    'Non-profit',
    'Professional Services',
    'Real Estate',
    'Retail',
    'Transport and Logistics',
    'Other',
  ],
});
