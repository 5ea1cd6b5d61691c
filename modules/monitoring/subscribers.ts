// Alerts raised by events of other modules (MO-01).
import { subscriber, type Context } from '@keelson/core';
import { dayInWords, explained } from '@keelson/core/kit';
import { CollectorMoved, CommandEnded, commandTypes } from '@keelson/modules/discovery';
import { InventoryExpiring, InventoryRenewed } from '@keelson/modules/inventory';
import { WebhookDisabled, WebhookRestored } from '@keelson/modules/webhooks';
import { raiseAlert, resolveAlert } from './alerts.ts';

type Data<E extends { shape: { _output: unknown } }> = E['shape']['_output'];

export default [
  subscriber('monitoring.collectors', CollectorMoved, (ctx, { data }) => watchCollector(ctx, data)),
  subscriber('monitoring.commands', CommandEnded, (ctx, { data }) => watchCommand(ctx, data)),
  subscriber('monitoring.webhooks-off', WebhookDisabled, async (ctx, { data: { webhook_id, registry } }) => {
    await raiseAlert(ctx, webhookKey(webhook_id), {
      alert_type: 'webhook_disabled',
      severity: 'warning',
      message: explained(`Webhook ${webhook_id} (${registry}) was disabled because its deliveries are failing`),
    });
  }),
  subscriber('monitoring.expiring', InventoryExpiring, (ctx, { data }) => warnOfEnd(ctx, data)),
  subscriber('monitoring.renewed', InventoryRenewed, async (ctx, { data }) => {
    await resolveAlert(ctx, endKey(data));
  }),
  subscriber('monitoring.webhooks-on', WebhookRestored, async (ctx, { data }) => {
    await resolveAlert(ctx, webhookKey(data.webhook_id));
  }),
];

const endKey = ({ kind, id }: { readonly kind: string; readonly id: number }): string => `${kind}:${id}`;

// Whole sentences, because they are translated.
const expiryOf: Readonly<Record<Data<typeof InventoryExpiring>['kind'], (name: string, day: string) => string>> = {
  contract: (name, day) => explained(`The contract ${name} expires on ${day}`),
  license: (name, day) => explained(`The license ${name} expires on ${day}`),
  domain: (name, day) => explained(`The domain ${name} expires on ${day}`),
};

/** Raises an alert about an expiry: a warning from the 14-day mark, critical on the last day. */
async function warnOfEnd(ctx: Context, ending: Data<typeof InventoryExpiring>): Promise<void> {
  const { kind, name, company_number, expires_on, mark } = ending;
  await raiseAlert(ctx, endKey(ending), {
    alert_type: `${kind}_expiring`,
    severity: mark <= 1 ? 'critical' : mark <= 14 ? 'warning' : 'info',
    message: expiryOf[kind](name, dayInWords(expires_on)),
    company_number,
  });
}

const webhookKey = (webhook_id: number): string => `webhook:${webhook_id}`;

const commandKey = (collector_id: string | null, type: string): string => `command:${collector_id}:${type}`;

async function watchCollector(ctx: Context, collector: Data<typeof CollectorMoved>): Promise<void> {
  const { collector_id, name, company_number, status } = collector;
  const open_key = `collector:${collector_id}`;
  if (status === 'revoked') for (const type of commandTypes) await resolveAlert(ctx, commandKey(collector_id, type));
  if (status !== 'offline') return void (await resolveAlert(ctx, open_key));
  await raiseAlert(ctx, open_key, {
    alert_type: 'collector_offline',
    severity: 'warning',
    message: explained(`Collector ${name === '' ? collector_id : name} has not been seen for 15 minutes`),
    company_number,
    collector_id,
  });
}

async function watchCommand(ctx: Context, command: Data<typeof CommandEnded>): Promise<void> {
  const { command_type, subnet, failed, error, company_number, site_number, collector_id } = command;
  const scan = command_type === 'scan';
  const open_key = scan ? `scan:${site_number}:${subnet}` : commandKey(collector_id, command_type);
  if (!failed) return void (await resolveAlert(ctx, open_key));
  await raiseAlert(ctx, open_key, {
    alert_type: scan ? 'scan_failed' : 'command_failed',
    severity: 'warning',
    message: (scan ? scanFailed(subnet, error) : commandFailed(command_type.replaceAll('_', ' '), error)).slice(
      0,
      1000,
    ),
    company_number,
    collector_id,
  });
}

const scanFailed = (subnet: string, error: string): string =>
  error === '' ? explained(`The scan of ${subnet} failed`) : explained(`The scan of ${subnet} failed: ${error}`);

const commandFailed = (command: string, error: string): string =>
  error === '' ? explained(`The command ${command} failed`) : explained(`The command ${command} failed: ${error}`);
