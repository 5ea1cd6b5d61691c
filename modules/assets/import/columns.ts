// The columns of the template (F-06) and of the files of an import.
import type { ImportColumn } from '@keelson/core/files';

export const assetColumnsOfFiles: readonly ImportColumn[] = Object.freeze<ImportColumn[]>([
  { name: 'machine_name', label: 'Name', type: 'text', required: true, max_length: 255, sample: 'LT-0042' },
  { name: 'asset_type', label: 'Type', type: 'text', max_length: 100, sample: 'Laptop' },
  { name: 'serial_number', label: 'Serial number', type: 'text', max_length: 255, sample: '5CG1234XYZ' },
  { name: 'status', label: 'Status', type: 'text', max_length: 100, sample: 'active' },
  { name: 'site_number', label: 'Site number', type: 'integer' },
  { name: 'assigned_employee', label: 'Employee number', type: 'integer' },
  { name: 'ip_address', label: 'IP address', type: 'text', max_length: 45, sample: '192.0.2.17' },
  { name: 'mac_address', label: 'MAC address', type: 'text', max_length: 23, sample: '00:00:5e:00:53:17' },
  { name: 'manufacturer', label: 'Manufacturer', type: 'text', max_length: 255, sample: 'HP' },
  { name: 'model', label: 'Model', type: 'text', max_length: 255, sample: 'EliteBook 840 G9' },
  { name: 'operating_system', label: 'Operating system', type: 'text', max_length: 255, sample: 'Windows 11 Pro' },
  { name: 'location', label: 'Location', type: 'text', max_length: 255, sample: 'Room 2.14' },
  { name: 'purchase_date', label: 'Purchased', type: 'date', sample: '2025-04-01' },
  { name: 'warranty_expires', label: 'Warranty until', type: 'date', sample: '2028-03-31' },
  { name: 'notes', label: 'Notes', type: 'text', max_length: 65_535 },
]);

/** On the administrative surface each row may name its company. */
export const columnsWithCompany: readonly ImportColumn[] = Object.freeze<ImportColumn[]>([
  ...assetColumnsOfFiles,
  { name: 'company_number', label: 'Company number', type: 'integer' },
]);
