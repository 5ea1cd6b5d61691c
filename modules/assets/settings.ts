import { setting, z } from '@keelson/core';

const values = z.array(z.string().min(1).max(255)).max(1000);

/**
 * Values that makers, virtual adapters and people put where an identifier belongs. They identify nothing, so no two assets
 * are ever taken for one because of them (MO-30).
 */
export const MeaninglessIdentifiers = setting(
  'assets.meaningless_identifiers',
  z.object({ serial_numbers: values, mac_addresses: values, uuids: values }),
  {
    serial_numbers: [
      'To be filled by O.E.M.',
      'Default string',
      'System Serial Number',
      'Serial Number',
      'Chassis Serial Number',
      'Base Board Serial Number',
      'System manufacturer',
      'OEM',
      'INVALID',
      'None',
      'Null',
      'Nil',
      'N/A',
      'Not applicable',
      'Not available',
      'Not specified',
      'Not present',
      'Not set',
      'Unknown',
      'Undefined',
      'Unspecified',
      'Empty',
      'Blank',
      'Missing',
      'TBD',
      'Test',
      'XXXXXXX',
      'XXXXXXXXXX',
      '0',
      '1234567',
      '12345678',
      '123456789',
      '1234567890',
      '0123456789',
      '1111111',
      '11111111',
    ],
    mac_addresses: [
      '00:00:00:00:00:00',
      'ff:ff:ff:ff:ff:ff',
      // What Android says instead of its own, and adapters of VPN clients, loopback and dial-up.
      '02:00:00:00:00:00',
      '00:05:9a:3c:78:00',
      '00:05:9a:3c:7a:00',
      '00:09:0f:aa:00:01',
      '00:09:0f:fe:00:01',
      '02:50:41:00:00:01',
      '02:00:4c:4f:4f:50',
      '20:41:53:59:4e:ff',
      '33:50:6f:45:30:30',
      '50:50:54:50:30:30',
    ],
    uuids: [
      '00000000-0000-0000-0000-000000000000',
      'ffffffff-ffff-ffff-ffff-ffffffffffff',
      '03000200-0400-0500-0006-000700080009',
      '00020003-0004-0005-0006-000700080009',
      '12345678-1234-5678-90ab-cddeefaabbcc',
      '11111111-2222-3333-4444-555555555555',
    ],
  },
);
