import {
  admin,
  administrators,
  forbidden,
  input,
  item,
  findOr404,
  nounRoutes,
  showOne,
  z,
  type Admin,
  type Context,
} from '@keelson/core';
import { AccessContacts, WriteContacts } from '@keelson/modules/directory';
import { ReadSettings, WriteSettings } from '@keelson/modules/system';
import { WriteTickets } from '@keelson/modules/tickets';
import { ruleOutcomes } from '../entities.ts';
import { addSender, blockSender } from '../judge/new-senders.ts';
import { changeRule, createRule, SenderRuleItem, SenderRules } from '../judge/sender-rules.ts';
import { MessageItem, MessageNoun } from '../messages/messages.ts';

/** An address or a domain; `@example.com` is the domain. */
const sender = input.text(254, { compared: true }).overwrite((text) => text.trim().toLowerCase().replace(/^@/, ''));

const fields = {
  sender: sender.meta({ title: 'Address or domain', description: 'For example, example.com or info@example.com.' }),
  outcome: input.choice(ruleOutcomes),
  company_number: input.clearable(input.id()),
};

/** Mails from contacts act on their behalf (ML-10), so a rule that adds some needs the permission to do so. */
function checkContacts({ actor }: Context, outcome: (typeof ruleOutcomes)[number] | undefined): void {
  if (outcome !== 'block' && !AccessContacts.allows(actor as Admin))
    throw forbidden('A rule that adds contacts requires the permission contacts:access');
}

export default [
  ...nounRoutes(admin, '/mailboxes/rules.php?id={id}', SenderRules, {
    addition: true,
    titles: {
      list: 'List rules for unknown senders',
      create: 'Add a rule for unknown senders',
      read: 'Read a rule for unknown senders',
      update: 'Change a rule for unknown senders',
      delete: 'Delete a rule for unknown senders',
    },
    read: administrators(ReadSettings),
    write: administrators(WriteSettings),
    view: SenderRuleItem,
    fields,
    create: (ctx, given) => {
      checkContacts(ctx, given.outcome);
      return createRule(ctx, { ...given, company_number: given.company_number ?? null });
    },
    change: (ctx, rule, wanted) => {
      checkContacts(ctx, wanted.outcome ?? rule.outcome);
      return changeRule(ctx, rule, wanted);
    },
  }),
  admin.post('/mailboxes/messages.php?action=contact&id={id}', {
    title: 'Add the sender of a received mail as a contact',
    operationId: 'addMailboxMessageSender',
    addition: true,
    access: WriteTickets,
    body: z.object({
      company_number: input.id(),
      first_name: input.text(255),
      last_name: input.text(255),
    }),
    returns: item(MessageItem),
    slow: true,
    load: (ctx, { id }) => findOr404(ctx, MessageNoun, id),
    handle: async (ctx, { item: message, body }) => {
      if (!WriteContacts.allows(ctx.actor)) throw forbidden('Adding a contact requires the permission contacts:write');
      return showOne(ctx, MessageItem, await addSender(ctx, message, body));
    },
  }),
  admin.post('/mailboxes/messages.php?action=block&id={id}', {
    title: 'Block the sender of a received mail',
    addition: true,
    access: WriteTickets,
    body: z.object({ domain: input.optional(input.flag()) }),
    returns: item(MessageItem),
    load: (ctx, { id }) => findOr404(ctx, MessageNoun, id),
    handle: async (ctx, { item: message, body }) =>
      showOne(ctx, MessageItem, await blockSender(ctx, message, body.domain ?? false)),
  }),
];
