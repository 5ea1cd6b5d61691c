import {
  added,
  admin,
  created,
  findOr404,
  input,
  invalid,
  item,
  list,
  lock,
  nothing,
  pageOf,
  param,
  showOne,
  z,
} from '@keelson/core';
import { ReadAssets, WriteAssets } from '@keelson/modules/assets';
import { changeDrill, createDrill, DrillItem, Drills, removeDrill } from '../drills.ts';
import { drillResults } from '../entities.ts';
import { MOST_BACKUPS } from '../inputs.ts';
import { GridItem, gridOf, machineHealths } from '../records/grid.ts';
import { BackupItem, backupNoun, changeMachine, MachineItem, Machines } from '../records/records.ts';
import { ReportAnswer, reportBackup, reportBackups } from '../records/report-backups.ts';
import { RequestItem, Requests } from '../restore-requests.ts';
import { StateItem } from '../states/state-list.ts';

const drillFields = {
  subject: input.text(255),
  result: input.choice(drillResults),
  asset_id: input.clearable(input.id()),
  backup_id: input.clearable(input.id()),
  tested_on: input.optional(input.day()),
  tested_by: input.optionalText(255),
  notes: input.optionalLongText(),
};

export default [
  admin.get('/backup/records.php', {
    title: 'List backups',
    access: ReadAssets,
    addition: true,
    query: admin.paging(BackupItem.query),
    returns: list(BackupItem),
    handle: (ctx, { query }) => pageOf(ctx, BackupItem, query),
  }),
  admin.get('/backup/records.php?id={id}', {
    title: 'Read a backup',
    access: ReadAssets,
    addition: true,
    returns: item(BackupItem),
    load: (ctx, { id }) => findOr404(ctx, backupNoun, id),
    handle: (ctx, { item: backup }) => showOne(ctx, BackupItem, backup),
  }),
  admin.post('/backup/records.php', {
    title: 'Report backups',
    access: WriteAssets,
    addition: true,
    slow: true,
    // Not logged: tools report every night, and only changes of the company's status matter.
    unlogged: true,
    upload: true,
    body: z.union([z.array(z.unknown()).max(MOST_BACKUPS), z.looseObject({})]),
    returns: added(z.union([BackupItem.shape, ReportAnswer])),
    async handle(ctx, { body, uploads }) {
      if (uploads.length > 0) throw invalid('Request body must be a JSON object or array');
      if (!Array.isArray(body)) return reportBackup(ctx, body);
      const answer = await reportBackups(ctx, body);
      return { row: answer, added: answer.created > 0 };
    },
  }),
  admin.get('/backup/machines.php', {
    title: 'List backed-up machines',
    access: ReadAssets,
    addition: true,
    query: admin.paging(MachineItem.query),
    returns: list(MachineItem),
    handle: (ctx, { query }) => pageOf(ctx, MachineItem, query),
  }),
  admin.get('/backup/grid.php', {
    title: 'List backed-up machines with their last days',
    access: ReadAssets,
    addition: true,
    query: admin.paging({ ...MachineItem.query, health: param.choice(machineHealths), days: param.int(1, 31) }),
    returns: list(GridItem),
    handle: (ctx, { query }) => gridOf(ctx, { ...query, days: query.days ?? 14 }),
  }),
  admin.put('/backup/machines.php?id={id}', {
    title: 'Retire a backed-up machine',
    access: WriteAssets,
    addition: true,
    body: z.object({ retired: input.flag() }),
    returns: item(MachineItem),
    load: (ctx, { id }) => lock(ctx, Machines, id),
    handle: (ctx, { item: machine, body }) => showOne(ctx, MachineItem, changeMachine(ctx, machine, body)),
  }),
  admin.get('/backup/states.php', {
    title: 'List the backup status of companies',
    access: ReadAssets,
    addition: true,
    query: admin.paging(StateItem.query),
    returns: list(StateItem),
    handle: (ctx, { query }) => pageOf(ctx, StateItem, query),
  }),
  admin.get('/backup/restore-requests.php', {
    title: 'List restore requests',
    access: ReadAssets,
    addition: true,
    query: admin.paging(RequestItem.query),
    returns: list(RequestItem),
    handle: (ctx, { query }) => pageOf(ctx, RequestItem, query),
  }),
  admin.get('/backup/restore-requests.php?id={id}', {
    title: 'Read a restore request',
    access: ReadAssets,
    addition: true,
    returns: item(RequestItem),
    load: (ctx, { id }) => findOr404(ctx, Requests, id),
    handle: (ctx, { item: request }) => showOne(ctx, RequestItem, request),
  }),
  admin.get('/backup/drills.php', {
    title: 'List restore drills',
    access: ReadAssets,
    addition: true,
    query: admin.paging(DrillItem.query),
    returns: list(DrillItem),
    handle: (ctx, { query }) => pageOf(ctx, DrillItem, query),
  }),
  admin.post('/backup/drills.php', {
    title: 'Record a restore drill',
    access: WriteAssets,
    addition: true,
    body: z.object({ company_number: input.id(), ...drillFields }),
    returns: created(DrillItem),
    handle: (ctx, { body }) => showOne(ctx, DrillItem, createDrill(ctx, body)),
  }),
  admin.get('/backup/drills.php?id={id}', {
    title: 'Read a restore drill',
    access: ReadAssets,
    addition: true,
    returns: item(DrillItem),
    load: (ctx, { id }) => findOr404(ctx, Drills, id),
    handle: (ctx, { item: drill }) => showOne(ctx, DrillItem, drill),
  }),
  admin.put('/backup/drills.php?id={id}', {
    title: 'Change a restore drill',
    access: WriteAssets,
    addition: true,
    body: input.changes(drillFields),
    returns: item(DrillItem),
    load: (ctx, { id }) => lock(ctx, Drills, id),
    handle: (ctx, { item: drill, body }) => showOne(ctx, DrillItem, changeDrill(ctx, drill, body)),
  }),
  admin.delete('/backup/drills.php?id={id}', {
    title: 'Delete a restore drill',
    access: WriteAssets,
    addition: true,
    returns: nothing(),
    load: (ctx, { id }) => lock(ctx, Drills, id),
    handle: (ctx, { item: drill }) => removeDrill(ctx, drill),
  }),
];
