// The provider's mailbox, which the demo does not poll, a mail from an unknown sender, and a blocked domain.
import type { App } from '@keelson/core';
import type { Author } from '@keelson/core/log';
import { contextOf } from '@keelson/core/system';
import { addMailbox, createRule, storeMail } from '@keelson/modules/mailbox';
import type { Staff } from '../people.ts';

const text = `Hello,

I am covering the front desk at Northwind Dental for Lena for two weeks, and the card terminal is asking for a provider code. Could someone call me at +1 503 555 0199?

Thank you
Robin Marsh
`;

export async function playMail(app: App, { administrator: { user_id, name } }: Staff): Promise<void> {
  const author: Author = { type: 'technician', id: user_id, name };
  await contextOf({ app, actor: undefined, author }).transaction(async (ctx) => {
    const address = 'support@harbour-it.example';
    const server = { host: 'imap.harbour-it.example', port: 993, security: 'tls', username: address } as const;
    const { mailbox_id } = await addMailbox(ctx, { name: 'Support', address, ...server, password: '', active: false });
    await createRule(ctx, { sender: 'leads-for-msps.example', outcome: 'block' });
    const from = { name: 'Robin Marsh', address: 'robin.marsh@temp-agency.example' };
    const [subject, message_id] = ['Code for the card terminal', '<terminal@temp-agency.example>'];
    const headers = {
      From: `${from.name} <${from.address}>`,
      To: address,
      Subject: subject,
      'Message-ID': message_id,
    };
    const head = Object.entries(headers).map((each) => each.join(': '));
    const source = Buffer.from([...head, '', text].join('\r\n'));
    await storeMail(ctx, mailbox_id, { from, subject, message_id, source, size: source.length });
  });
}
