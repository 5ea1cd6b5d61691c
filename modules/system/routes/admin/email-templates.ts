import { admin, administrators, all, created, input, item, z } from '@keelson/core';
import { callerWording } from '@keelson/core/plugin';
import { changeTemplate, findTemplate, listTemplates, previewTemplate, resetTemplate } from '@keelson/core/system';
import { MailItem, mailTest } from '../../mail/mails.ts';
import { ReadSettings, WriteSettings } from '../../permissions.ts';

const EmailTemplate = z.object({
  template_id: z.int(),
  key: z.string(),
  name: z.string(),
  subject: z.string(),
  body: z.string(),
  variables: z.array(z.string()).readonly(),
  active: z.boolean(),
  updated_at: z.iso.datetime(),
});
const Preview = z.object({ subject: z.string(), text: z.string(), html: z.string() });
const texts = { subject: input.text(255), body: input.longText() };

export default [
  admin.get('/settings/email-templates.php', {
    title: 'List email templates',
    access: ReadSettings,
    returns: all(EmailTemplate),
    async handle(ctx) {
      const { find } = await callerWording(ctx);
      // A changed subject is in no catalogue.
      return (await listTemplates(ctx)).map((each) => ({
        ...each,
        name: find(each.name),
        subject: find(each.subject),
      }));
    },
  }),
  admin.get('/settings/email-templates.php?id={id}', {
    title: 'Read an email template',
    addition: true,
    access: ReadSettings,
    returns: item(EmailTemplate),
    load: (ctx, { id }) => findTemplate(ctx, id),
    handle: async (ctx, { item: template }) => ({ ...template, name: (await callerWording(ctx)).find(template.name) }),
  }),
  admin.put('/settings/email-templates.php?id={id}', {
    title: 'Update an email template',
    access: administrators(WriteSettings),
    body: input.changes({ ...texts, active: input.flag() }),
    returns: item(EmailTemplate),
    load: (ctx, { id }) => findTemplate(ctx, id),
    handle: (ctx, { item: template, body }) => changeTemplate(ctx, template, body),
  }),
  admin.post('/settings/email-templates.php?action=reset&id={id}', {
    title: 'Reset an email template',
    addition: true,
    access: administrators(WriteSettings),
    returns: item(EmailTemplate),
    load: (ctx, { id }) => findTemplate(ctx, id),
    handle: (ctx, { item: template }) => resetTemplate(ctx, template),
  }),
  admin.post('/settings/email-templates.php?action=preview&id={id}', {
    title: 'Preview a mail',
    addition: true,
    access: administrators(WriteSettings),
    body: z.object(texts).partial(),
    returns: item(Preview),
    unlogged: true,
    load: (ctx, { id }) => findTemplate(ctx, id),
    handle: (ctx, { item: template, body }) => previewTemplate(ctx, template, body),
  }),
  admin.post('/settings/email-templates.php?action=test&id={id}', {
    title: 'Send yourself a test mail',
    operationId: 'sendTestEmail',
    addition: true,
    access: administrators(WriteSettings),
    returns: created(MailItem.shape),
    load: (ctx, { id }) => findTemplate(ctx, id),
    handle: (ctx, { item: template }) => mailTest(ctx, template),
  }),
];
