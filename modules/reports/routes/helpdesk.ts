import {
  created,
  file,
  findVisible,
  helpdesk,
  item,
  list,
  nothing,
  notFound,
  pageOf,
  param,
  showOne,
  signedIn,
  z,
} from '@keelson/core';
import { readOwnFigures } from '@keelson/modules/tickets';
import {
  createReport,
  deleteReport,
  lockReport,
  ownerOf,
  OwnReport,
  placeOf,
  sourceFor,
  updateReport,
} from '../definitions.ts';
import { findSource } from '../engine/source.ts';
import { formats } from '../entities.ts';
import { exportReport, mediaTypes } from '../export.ts';
import { syncSheet } from '../google/gsheet.ts';
import { readLimits, ReportLimits } from '../limits.ts';
import { runReport, showFields } from '../run.ts';
import {
  newReport,
  OwnMetrics,
  ReportTable,
  reportChanges,
  runBody,
  SheetResult,
  sheetTarget,
  SourceFields,
} from '../shapes.ts';

export default [
  helpdesk.get('/reports/metrics', {
    title: 'Read metrics of your visible tickets',
    access: signedIn,
    returns: item(OwnMetrics),
    handle: (ctx) => readOwnFigures(ctx),
  }),
  helpdesk.get('/reports/limits', {
    title: 'Read your report limits',
    addition: true,
    access: signedIn,
    returns: item(ReportLimits),
    handle: (ctx) => readLimits(ctx, placeOf(ctx), ownerOf(ctx)),
  }),
  helpdesk.get('/reports', {
    title: 'List your reports and shared ones',
    access: signedIn,
    query: helpdesk.paging(OwnReport.query, { whole: true }),
    returns: list(OwnReport, 'reports'),
    handle: (ctx, { query }) => pageOf(ctx, OwnReport, query),
  }),
  helpdesk.post('/reports', {
    title: 'Create a report of your own',
    access: signedIn,
    body: newReport,
    returns: created(OwnReport),
    handle: (ctx, { body }) => showOne(ctx, OwnReport, createReport(ctx, body)),
  }),
  helpdesk.get('/reports/{id}', {
    title: 'Read the definition of a visible report',
    access: signedIn,
    returns: item(OwnReport),
    load: (ctx, { id }) => findVisible(ctx, OwnReport, id),
    handle: (ctx, { item: report }) => showOne(ctx, OwnReport, report),
  }),
  helpdesk.put('/reports/{id}', {
    title: 'Update a report of your own',
    access: signedIn,
    body: reportChanges,
    returns: item(OwnReport),
    load: (ctx, { id }) => lockReport(ctx, OwnReport, id),
    handle: (ctx, { item: report, body }) => showOne(ctx, OwnReport, updateReport(ctx, report, body)),
  }),
  helpdesk.delete('/reports/{id}', {
    title: 'Delete a report of your own',
    access: signedIn,
    returns: nothing(),
    load: (ctx, { id }) => lockReport(ctx, OwnReport, id),
    handle: (ctx, { item: report }) => deleteReport(ctx, report),
  }),
  helpdesk.post('/reports/{id}/run', {
    title: 'Run a visible report',
    slow: true,
    unlogged: true,
    access: signedIn,
    body: runBody,
    returns: item(ReportTable),
    load: (ctx, { id }) => findVisible(ctx, OwnReport, id),
    handle: (ctx, { item: report, body }) => runReport(ctx, report, body?.filters),
  }),
  helpdesk.get('/reports/{id}/export', {
    title: 'Export a visible report',
    access: signedIn,
    query: z.object({ format: param.choice(formats) }),
    returns: file(...mediaTypes),
    load: (ctx, { id }) => findVisible(ctx, OwnReport, id),
    handle: (ctx, { item: report, query: { format } }) => exportReport(ctx, report, format),
  }),
  helpdesk.post('/reports/{id}/gsheet', {
    title: 'Write a visible report to a spreadsheet',
    operationId: 'exportReportToSpreadsheet',
    slow: true,
    unlogged: true,
    access: signedIn,
    body: sheetTarget,
    returns: item(SheetResult),
    load: (ctx, { id }) => findVisible(ctx, OwnReport, id),
    handle: (ctx, { item: report, body }) => syncSheet(ctx, report, body),
  }),
  helpdesk.get('/reports/fields/{source:text}', {
    title: 'List the fields of a visible source',
    access: signedIn,
    returns: item(SourceFields),
    // An unknown source in the path is a missing resource.
    load: async ({ app }, { source }) => {
      if (!findSource(app, 'helpdesk', source)) throw notFound('Source');
    },
    handle: async (ctx, { params: { source } }) => showFields(ctx, await sourceFor(ctx, source)),
  }),
];
