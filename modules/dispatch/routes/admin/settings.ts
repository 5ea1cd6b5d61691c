import { admin, administrators, input, item } from '@keelson/core';
import { ReadSettings, WriteSettings } from '@keelson/modules/system';
import { changeSettings, readSettings, SettingsShape } from '../../change-settings.ts';

export default [
  admin.get('/dispatch/settings.php', {
    title: 'Read whether contacts can move appointments',
    addition: true,
    access: ReadSettings,
    returns: item(SettingsShape),
    handle: (ctx) => readSettings(ctx),
  }),
  admin.put('/dispatch/settings.php', {
    title: 'Change whether contacts can move appointments',
    addition: true,
    access: administrators(WriteSettings),
    body: input.changes({ contacts_move: input.flag() }),
    returns: item(SettingsShape),
    handle: (ctx, { body }) => changeSettings(ctx, body),
  }),
];
