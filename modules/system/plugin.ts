import { definePlugin } from '@keelson/core';
import { Currency, ImportUndoing, StoredBackupSchedule, TimeZone, undoImports } from '@keelson/core/system';
import { readMailBrand } from './branding/branding.ts';
import consolePages from './console/pages.ts';
import { Logo } from './entities.ts';
import { TimeZoneChanged } from './events.ts';
import { WebhookDisabled } from './mail-templates.ts';
import { mailServer } from './mail/mail-server.ts';
import { ReadSettings, WriteSettings } from './permissions.ts';
import portalPages from './portal/pages.ts';
import backupRoutes from './routes/admin/backup-schedule.ts';
import emailTemplateRoutes from './routes/admin/email-templates.ts';
import importRoutes from './routes/admin/imports.ts';
import logRoutes from './routes/admin/logs.ts';
import mailServerRoutes from './routes/admin/mail-server.ts';
import mailRoutes from './routes/admin/mails.ts';
import regionRoutes from './routes/admin/region.ts';
import settingRoutes from './routes/admin/settings.ts';
import helpdeskRoutes from './routes/helpdesk.ts';
import pageRoutes from './routes/pages.ts';
import shellRoutes from './routes/shells.ts';
import { Branding, Colors, StoredMailServer, StoredProviders } from './settings.ts';

export default definePlugin({
  id: 'system',
  title: 'System',
  description: 'Settings, branding, mail templates, imports and the activity log.',
  permissions: [ReadSettings, WriteSettings],
  entities: [Logo],
  events: [ImportUndoing, TimeZoneChanged],
  subscribers: [undoImports],
  console: consolePages,
  portal: portalPages,
  routes: [
    ...helpdeskRoutes,
    ...settingRoutes,
    ...logRoutes,
    ...importRoutes,
    ...emailTemplateRoutes,
    ...mailRoutes,
    ...mailServerRoutes,
    ...regionRoutes,
    ...backupRoutes,
    ...shellRoutes,
    ...pageRoutes,
  ],
  settings: [Branding, Colors, Currency, StoredBackupSchedule, StoredMailServer, StoredProviders, TimeZone],
  mailTemplates: [WebhookDisabled],
  mailBrand: readMailBrand,
  mailServer,
});
