import { admin, administrators, all, input, item, list, pageOf, param, z } from '@keelson/core';
import { ReadSettings, WriteSettings } from '@keelson/modules/system';
import { ReadTickets } from '@keelson/modules/tickets';
import { changeSettings, readSettings, SettingsShape } from '../change-settings.ts';
import { groups, readSatisfaction, SatisfactionRow } from '../figures.ts';
import { RatingItem } from '../ratings.ts';

export default [
  admin.get('/feedback/ratings.php', {
    title: 'List ratings of tickets',
    addition: true,
    access: ReadTickets,
    query: admin.paging(RatingItem.query),
    returns: list(RatingItem),
    handle: (ctx, { query }) => pageOf(ctx, RatingItem, query),
  }),
  admin.get('/feedback/satisfaction.php', {
    title: 'Read how satisfied requesters are',
    addition: true,
    access: ReadTickets,
    query: z.object({
      group: param.choice(groups),
      from: param.day(),
      to: param.day(),
      assigned_to: param.id(),
      company_number: param.id(),
    }),
    returns: all(SatisfactionRow),
    handle: (ctx, { query: { group = 'technician', ...query } }) => readSatisfaction(ctx, { group, ...query }),
  }),
  admin.get('/feedback/settings.php', {
    title: 'Read whether closing mails ask for a rating',
    addition: true,
    access: ReadSettings,
    returns: item(SettingsShape),
    handle: (ctx) => readSettings(ctx),
  }),
  admin.put('/feedback/settings.php', {
    title: 'Change whether closing mails ask for a rating',
    addition: true,
    access: administrators(WriteSettings),
    body: input.changes({ ask: input.flag() }),
    returns: item(SettingsShape),
    handle: (ctx, { body }) => changeSettings(ctx, body),
  }),
];
