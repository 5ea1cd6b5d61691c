// Values that identify no asset (MO-30).
import { admin, administrators, input, item, z } from '@keelson/core';
import { changeIdentifierLists, IdentifierLists, readIdentifierLists } from '../../identifiers.ts';
import { ReadAssets, WriteAssets } from '../../permissions.ts';

const values = z.array(input.text(255)).max(1000).optional();

export default [
  admin.get('/assets/identifiers.php', {
    title: 'List ignored identifiers',
    addition: true,
    access: ReadAssets,
    returns: item(IdentifierLists),
    handle: (ctx) => readIdentifierLists(ctx),
  }),
  admin.put('/assets/identifiers.php', {
    title: 'Update ignored identifiers',
    addition: true,
    access: administrators(WriteAssets),
    body: input.changes({ serial_numbers: values, mac_addresses: values, uuids: values }),
    returns: item(IdentifierLists),
    handle: (ctx, { body }) => changeIdentifierLists(ctx, body),
  }),
];
