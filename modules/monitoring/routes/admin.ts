import {
  added,
  admin,
  all,
  anyCredential,
  findOr404,
  input,
  item,
  list,
  lock,
  pageOf,
  param,
  showOne,
  z,
} from '@keelson/core';
import { BackupReportShape, readBackupReport } from '@keelson/core/backup';
import { ReadAssets, WriteAssets } from '@keelson/modules/assets';
import { ReadNetworks } from '@keelson/modules/inventory';
import { AlertGroup, listAlertGroups } from '../alert-groups.ts';
import { AlertItem, unresolved } from '../alert-list.ts';
import { acknowledgeAlert, Alerts, muteAlert } from '../alerts.ts';
import { readCollectors, WatchedCollector } from '../collectors.ts';
import { alertTypes, severities } from '../entities.ts';
import { HealthShape, readHealth } from '../health.ts';
import { reportAlert } from '../report.ts';

export default [
  admin.get('/monitoring/health.php', {
    title: 'Read the health of the installation',
    access: anyCredential,
    returns: item(HealthShape),
    handle: (ctx) => readHealth(ctx),
  }),
  admin.get('/monitoring/backup.php', {
    title: 'Read the status of the installation’s own backup',
    addition: true,
    access: anyCredential,
    returns: item(BackupReportShape),
    handle: (ctx) => readBackupReport(ctx),
  }),
  admin.get('/monitoring/collectors.php', {
    title: 'List collectors with their state',
    access: ReadNetworks,
    returns: all(WatchedCollector),
    handle: (ctx) => readCollectors(ctx),
  }),
  admin.get('/monitoring/alerts.php', {
    title: 'List alerts',
    access: ReadAssets,
    query: admin.paging(AlertItem.query),
    returns: list(AlertItem),
    handle: (ctx, { query }) => pageOf(ctx, AlertItem, query, { where: query.status ? [] : [unresolved] }),
  }),
  admin.get('/monitoring/alerts.php?id={id}', {
    title: 'Read an alert',
    addition: true,
    access: ReadAssets,
    returns: item(AlertItem),
    load: (ctx, { id }) => findOr404(ctx, Alerts, id),
    handle: (ctx, { item: alert }) => showOne(ctx, AlertItem, alert),
  }),
  admin.post('/monitoring/alerts.php', {
    title: 'Report an alert',
    addition: true,
    access: WriteAssets,
    // A repeated report is only counted and not an auditable change.
    unlogged: true,
    body: z.object({
      alert_type: input.text(60).meta({ examples: [...alertTypes] }),
      message: input.text(1000),
      severity: input.optional(input.choice(severities)),
      company_number: input.optional(input.id()),
      /** The machine, which must belong to the company; its company by default. */
      asset_id: input.optional(input.id()),
      /** Deduplication key; defaults to type, company and message. */
      key: input.optional(input.text(200)),
      source: input.optional(input.text(100)),
      /** `resolved` resolves the alert. */
      status: input.optional(input.choice(['open', 'resolved'])),
    }),
    returns: added(AlertItem),
    async handle(ctx, { body }) {
      const { row, added: isNew } = await reportAlert(ctx, body);
      return { row: await showOne(ctx, AlertItem, row), added: isNew };
    },
  }),
  admin.get('/monitoring/alert-groups.php', {
    title: 'List unresolved alerts by machine',
    addition: true,
    access: ReadAssets,
    query: admin.paging({ company_number: param.id() }, { whole: true }),
    returns: list(AlertGroup),
    handle: (ctx, { query }) => listAlertGroups(ctx, query),
  }),
  admin.post('/monitoring/alerts.php?action=mute&id={id}', {
    title: 'Mute an alert',
    addition: true,
    access: WriteAssets,
    body: z.object({
      /** 0 ends it. */
      minutes: input.int(0, 43_200),
    }),
    returns: item(AlertItem),
    load: (ctx, { id }) => lock(ctx, Alerts, id),
    handle: (ctx, { item: alert, body }) => showOne(ctx, AlertItem, muteAlert(ctx, alert, body.minutes)),
  }),
  admin.post('/monitoring/alerts.php?action=acknowledge&id={id}', {
    title: 'Acknowledge an alert',
    access: WriteAssets,
    returns: item(AlertItem),
    load: (ctx, { id }) => lock(ctx, Alerts, id),
    handle: (ctx, { item: alert }) => showOne(ctx, AlertItem, acknowledgeAlert(ctx, alert)),
  }),
];
