import { admin, created, findVisible, item, list, nothing, pageOf, showOne } from '@keelson/core';
import { AdminReport, createReport, deleteReport, lockReport, sourceFor, updateReport } from '../definitions.ts';
import { ReadReports, WriteReports } from '../permissions.ts';
import { runReport, showFields } from '../run.ts';
import { newReport, ReportTable, reportChanges, runBody, SourceFields } from '../shapes.ts';

export default [
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
  admin.get('/reports/fields.php?source={source:text}', {
    title: 'List the fields of a source',
    access: ReadReports,
    returns: item(SourceFields),
    handle: async (ctx, { params: { source } }) => showFields(ctx, await sourceFor(ctx, source)),
  }),
];
