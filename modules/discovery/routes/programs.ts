// Routes for collectors, accessible only with their token.
import { all, input, item, param, z } from '@keelson/core';
import { onlyProgram, programs } from '@keelson/core/system';
import { findCollector } from '../collectors/collector-list.ts';
import { noteContact } from '../collectors/collectors.ts';
import { renewLeases, reportCommand, takeCommands } from '../collectors/command-queue.ts';
import { syncDevices } from '../devices/sync.ts';
import { CommandShape, SyncAnswer } from '../shapes.ts';

const access = onlyProgram('collector');
const MOST_RUNNING = 100;

export default [
  programs.get('/connect/collector/commands', {
    title: 'Poll the commands of a collector',
    access,
    unlogged: true,
    query: z.object({
      /** Commands the collector is still working on: their leases are renewed, and no others are handed out. */
      running: param.ids(MOST_RUNNING),
    }),
    returns: all(CommandShape),
    // GET requests have no transaction by default.
    handle: (outside, { query: { running } }) =>
      outside.transaction(async (ctx) => {
        const collector = await noteContact(ctx, await findCollector(ctx, ctx.actor.id, { lock: true }));
        if (running === undefined) return takeCommands(ctx, collector);
        await renewLeases(ctx, collector, running);
        return [];
      }),
  }),
  programs.post('/connect/sync/discovery.php', {
    title: 'Receive what a collector has found',
    operationId: 'syncDiscovery',
    access,
    slow: true,
    unlogged: true,
    upload: 'import',
    returns: item(SyncAnswer),
    handle: (ctx, { uploads, body, query }) => syncDevices(ctx, { uploads, fields: body, query: Object(query) }),
  }),
  programs.post('/connect/collector/commands/{id}/complete', {
    title: 'Report the result of a command',
    access,
    unlogged: true,
    body: z.object({
      status: input.optional(input.choice(['completed', 'failed'])),
      result: input.optional(z.record(z.string(), z.unknown())),
      error: input.optionalLongText(),
    }),
    returns: item(CommandShape),
    async handle(ctx, { params: { id }, body: { status = 'completed', result = null, error = '' } }) {
      const collector = await noteContact(ctx, await findCollector(ctx, ctx.actor.id, { lock: true }));
      return reportCommand(ctx, collector, id, { status, result, error });
    },
  }),
];
