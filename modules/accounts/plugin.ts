import { definePlugin } from '@keelson/core';
import { fill } from '@keelson/core/plugin';
import { HasIdentity } from '@keelson/modules/directory';
import { backgroundDone } from './background.ts';
import commands from './commands.ts';
import consolePages from './console/pages.ts';
import entities from './entities.ts';
import events from './events.ts';
import identities from './identities.ts';
import jobs from './jobs.ts';
import live from './live.ts';
import * as mailTemplates from './mail-templates.ts';
import { readLinked } from './oauth/identities.ts';
import portalPages from './portal/pages.ts';
import apiKeyRoutes from './routes/admin/api-keys.ts';
import providerRoutes from './routes/admin/identity-providers.ts';
import technicianRoutes from './routes/admin/technicians.ts';
import helpdeskRoutes from './routes/helpdesk.ts';
import identityRoutes from './routes/identity.ts';
import invitationRoutes from './routes/invitations.ts';
import linkPages from './routes/link-pages.ts';
import pageRoutes from './routes/pages.ts';
import sessionRoutes from './routes/sessions.ts';
import { setUpLink } from './set-up.ts';
import subscribers from './subscribers.ts';

export default definePlugin({
  id: 'accounts',
  title: 'Accounts',
  description: 'Signing in, sessions, two-factor authentication, identity providers, API keys and technicians.',
  requires: ['directory', 'system'],
  entities,
  events,
  console: consolePages,
  portal: portalPages,
  routes: [
    ...apiKeyRoutes,
    ...helpdeskRoutes,
    ...identityRoutes,
    ...providerRoutes,
    ...invitationRoutes,
    ...pageRoutes,
    ...technicianRoutes,
    ...sessionRoutes,
    ...linkPages,
  ],
  mailTemplates: Object.values(mailTemplates),
  fills: [fill(HasIdentity, readLinked)],
  identities,
  jobs,
  subscribers,
  commands,
  live,
  stop: backgroundDone,
  greeting: async (app) => {
    const link = await setUpLink(app);
    return link ? [`No administrator exists yet: open ${link}`] : [];
  },
});
