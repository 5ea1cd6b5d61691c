// `@keelson/core/report`: running reports. A plugin that only offers records for reports declares a `reportSource`.

// Sources and fields: what reports can read.
export { findSource, fieldsFor, requireSource, sourceNames, type ReportSource } from './source.ts';
export { fieldTypes, operators, periods } from './field.ts';
export { periodsOf } from './period.ts';

// Running reports: check, run and export.
export { checkReport, reportQueryFields, type ReportQuery } from './definition.ts';
export {
  inReportTurn,
  runReport,
  wholeReport,
  type ReportColumn,
  type ReportRequest,
  type ReportResult,
} from './run.ts';
