import { admin, administrators, input, item, z } from '@keelson/core';
import { isZone } from '@keelson/core/kit';
import { isCurrency, languageCodes } from '@keelson/core/plugin';
import { changeRegion, readRegion, RegionShape } from '../../installation/region.ts';
import { ReadSettings, WriteSettings } from '../../permissions.ts';

/** An IANA name: runtimes also accept offsets such as +01:00. */
const ZONE = /^[A-Z][\w+/-]{1,63}$/i;

const region = {
  time_zone: z
    .string()
    .refine((name) => ZONE.test(name) && isZone(name), 'must be an IANA time zone such as Europe/Berlin')
    .meta({ maxLength: 64 }),
  currency: input
    .text(3)
    .overwrite((code) => code.toUpperCase())
    .refine(isCurrency, 'must be an ISO 4217 currency'),
  language: input.clearable(input.choice(languageCodes)),
};

export default [
  admin.get('/settings/region.php', {
    title: 'Read the time zone, the currency and the language',
    addition: true,
    access: ReadSettings,
    returns: item(RegionShape),
    handle: (ctx) => readRegion(ctx),
  }),
  admin.put('/settings/region.php', {
    title: 'Change the time zone, the currency and the language',
    addition: true,
    access: administrators(WriteSettings),
    body: input.changes(region),
    returns: item(RegionShape),
    handle: async (ctx, { body }) => {
      await changeRegion(ctx, body);
      return readRegion(ctx);
    },
  }),
];
