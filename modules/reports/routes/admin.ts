import {
  admin,
  all,
  administrators,
  created,
  file,
  findVisible,
  item,
  list,
  nothing,
  nounRoutes,
  pageOf,
  param,
  showOne,
  z,
} from '@keelson/core';
import { AdministratorSession, ReadSettings, WriteSettings } from '@keelson/modules/system';
import { readFigures } from '@keelson/modules/tickets';
import {
  AdminReport,
  createReport,
  deleteReport,
  lockReport,
  ownerOf,
  placeOf,
  sourceFor,
  updateReport,
} from '../definitions.ts';
import { formats } from '../entities.ts';
import { exportReport, mediaTypes } from '../export.ts';
import { removeAccount, setAccount, showAccount } from '../google/google.ts';
import { spreadsheetFields, SpreadsheetItem, Spreadsheets } from '../google/spreadsheets.ts';
import { readLimits, ReportLimits } from '../limits.ts';
import { ReadReports, WriteReports } from '../permissions.ts';
import { listSources, previewReport, runReport, showFields } from '../run.ts';
import {
  Metrics,
  newReport,
  ReportPreview,
  reportQuery,
  ReportTable,
  reportChanges,
  runBody,
  SourceFields,
  SourceItem,
  accountBody,
  AccountShape,
} from '../shapes.ts';

export default [
  admin.get('/reports/metrics.php', {
    title: 'Read dashboard metrics',
    access: ReadReports,
    returns: item(Metrics),
    handle: (ctx) => readFigures(ctx),
  }),
  admin.get('/reports/limits.php', {
    title: 'Read technicians’ report limits',
    addition: true,
    access: ReadReports,
    returns: item(ReportLimits),
    handle: (ctx) => readLimits(ctx, placeOf(ctx), ownerOf(ctx)),
  }),
  admin.get('/reports.php', {
    title: 'List reports',
    access: ReadReports,
    query: admin.paging(AdminReport.query),
    returns: list(AdminReport),
    handle: (ctx, { query }) => pageOf(ctx, AdminReport, query),
  }),
  admin.post('/reports.php', {
    title: 'Create a report',
    access: WriteReports,
    body: newReport,
    returns: created(AdminReport),
    handle: (ctx, { body }) => showOne(ctx, AdminReport, createReport(ctx, body)),
  }),
  admin.get('/reports.php?id={id}', {
    title: 'Read a report’s definition',
    access: ReadReports,
    returns: item(AdminReport),
    load: (ctx, { id }) => findVisible(ctx, AdminReport, id),
    handle: (ctx, { item: report }) => showOne(ctx, AdminReport, report),
  }),
  admin.put('/reports.php?id={id}', {
    title: 'Change a report',
    access: WriteReports,
    body: reportChanges,
    returns: item(AdminReport),
    load: (ctx, { id }) => lockReport(ctx, AdminReport, id),
    handle: (ctx, { item: report, body }) => showOne(ctx, AdminReport, updateReport(ctx, report, body)),
  }),
  admin.delete('/reports.php?id={id}', {
    title: 'Delete a report',
    access: WriteReports,
    returns: nothing(),
    load: (ctx, { id }) => lockReport(ctx, AdminReport, id),
    handle: (ctx, { item: report }) => deleteReport(ctx, report),
  }),
  admin.post('/reports.php?action=run&id={id}', {
    title: 'Run a report',
    slow: true,
    unlogged: true,
    access: ReadReports,
    body: runBody,
    returns: item(ReportTable),
    load: (ctx, { id }) => findVisible(ctx, AdminReport, id),
    handle: (ctx, { item: report, body }) => runReport(ctx, report, body?.filters),
  }),
  admin.get('/reports.php?action=export&id={id}', {
    title: 'Export a report',
    access: ReadReports,
    query: z.object({ format: param.choice(formats) }),
    returns: file(...mediaTypes),
    load: (ctx, { id }) => findVisible(ctx, AdminReport, id),
    handle: (ctx, { item: report, query: { format } }) => exportReport(ctx, report, format),
  }),
  admin.post('/reports.php?action=preview', {
    title: 'Preview a report',
    slow: true,
    unlogged: true,
    addition: true,
    access: WriteReports,
    body: reportQuery,
    returns: item(ReportPreview),
    handle: (ctx, { body }) => previewReport(ctx, body),
  }),
  admin.get('/reports/sources.php', {
    title: 'List what can be reported on',
    addition: true,
    access: ReadReports,
    returns: all(SourceItem),
    handle: (ctx) => listSources(ctx),
  }),
  admin.get('/reports/fields.php?source={source:text}', {
    title: 'List the fields of a source',
    access: ReadReports,
    returns: item(SourceFields),
    handle: async (ctx, { params: { source } }) => showFields(ctx, await sourceFor(ctx, source)),
  }),
  admin.get('/reports/google.php', {
    title: 'Read the spreadsheet service account',
    addition: true,
    access: ReadSettings,
    returns: item(AccountShape),
    handle: (ctx) => showAccount(ctx),
  }),
  admin.put('/reports/google.php', {
    title: 'Set the spreadsheet service account',
    addition: true,
    access: AdministratorSession,
    body: accountBody,
    returns: item(AccountShape),
    async handle(ctx, { body }) {
      await setAccount(ctx, body);
      return showAccount(ctx);
    },
  }),
  admin.delete('/reports/google.php', {
    title: 'Remove the spreadsheet service account',
    addition: true,
    access: AdministratorSession,
    returns: nothing(),
    handle: (ctx) => removeAccount(ctx),
  }),
  ...nounRoutes(admin, '/reports/spreadsheets.php?id={id}', Spreadsheets, {
    titles: {
      list: 'List the spreadsheets of companies',
      create: 'Add a spreadsheet for a company',
      read: 'Read a spreadsheet of a company',
      update: 'Change a spreadsheet of a company',
      delete: 'Remove a spreadsheet of a company',
    },
    addition: true,
    read: ReadSettings,
    write: administrators(WriteSettings),
    view: SpreadsheetItem,
    fields: spreadsheetFields,
  }),
];
