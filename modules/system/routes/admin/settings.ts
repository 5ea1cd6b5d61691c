import { admin, administrators, all, created, input, item, nothing, z } from '@keelson/core';
import { callerWording } from '@keelson/core/plugin';
import { pluginStates } from '@keelson/core/system';
import { changeColors, readBranding, rename } from '../../branding/branding.ts';
import { removeLogo, replaceLogo } from '../../branding/logo.ts';
import { changeDropdowns, readDropdowns } from '../../dropdown-lists.ts';
import { listPermissions } from '../../installation/installation.ts';
import { ReadSettings, WriteSettings } from '../../permissions.ts';
import { Colors, ColorShape } from '../../settings.ts';
import { BrandingShape, DeclaredPermission, DropdownItem, InstalledPlugin, JobState } from '../../shapes.ts';

const Lists = z.record(z.string(), z.array(DropdownItem));
const GivenItem = z.union([z.string(), z.looseObject({ value: z.string() })]);
const colors = {
  primary_color: input.colour(),
  secondary_color: input.colour(),
  accent_color: input.colour(),
  background_color: input.colour(),
  text_color: input.colour(),
  link_color: input.colour(),
};

export default [
  admin.get('/settings/dropdowns.php', {
    title: 'Read the dropdown lists',
    access: ReadSettings,
    returns: item(Lists),
    handle: (ctx) => readDropdowns(ctx),
  }),
  admin.put('/settings/dropdowns.php', {
    title: 'Replace dropdown lists',
    access: administrators(WriteSettings),
    body: z.record(z.string(), z.array(GivenItem)),
    returns: item(Lists),
    handle: (ctx, { body }) => changeDropdowns(ctx, body),
  }),
  admin.get('/settings/colors.php', {
    title: 'Read the colours',
    access: ReadSettings,
    returns: item(ColorShape),
    handle: (ctx) => ctx.app.settings.get(ctx, Colors),
  }),
  admin.put('/settings/colors.php', {
    title: 'Change colours',
    access: administrators(WriteSettings),
    body: input.changes(colors),
    returns: item(ColorShape),
    handle: (ctx, { body }) => changeColors(ctx, body),
  }),
  admin.get('/settings/branding.php', {
    title: 'Read the name and the logo',
    addition: true,
    access: ReadSettings,
    returns: item(BrandingShape),
    handle: (ctx) => readBranding(ctx),
  }),
  admin.put('/settings/branding.php', {
    title: 'Change the name',
    addition: true,
    access: administrators(WriteSettings),
    body: input.changes({ company_name: input.text(100) }),
    returns: item(BrandingShape),
    handle: (ctx, { body }) => rename(ctx, body),
  }),
  admin.post('/settings/logo.php', {
    title: 'Upload the logo',
    addition: true,
    access: administrators(WriteSettings),
    slow: true,
    upload: 'files',
    returns: created(z.object({ logo_url: z.string() })),
    handle: (ctx, { files }) => replaceLogo(ctx, files),
  }),
  admin.delete('/settings/logo.php', {
    title: 'Remove the logo',
    addition: true,
    access: administrators(WriteSettings),
    returns: nothing(),
    handle: (ctx) => removeLogo(ctx),
  }),
  admin.get('/settings/plugins.php', {
    title: 'List the plugins of the installation',
    addition: true,
    access: ReadSettings,
    returns: all(InstalledPlugin),
    async handle(ctx) {
      const { t } = await callerWording(ctx);
      return pluginStates(ctx.app).map((each) => ({ ...each, title: t(each.title) }));
    },
  }),
  admin.get('/settings/permissions.php', {
    title: 'List the permissions a key can have',
    addition: true,
    access: ReadSettings,
    returns: all(DeclaredPermission),
    handle: (ctx) => listPermissions(ctx),
  }),
  admin.get('/monitoring/jobs.php', {
    title: 'List the jobs',
    addition: true,
    access: administrators(ReadSettings),
    returns: all(JobState),
    async handle(ctx) {
      const { t } = await callerWording(ctx);
      return (await ctx.app.scheduler.list()).map((each) => ({ ...each, title: t(each.title) }));
    },
  }),
];
