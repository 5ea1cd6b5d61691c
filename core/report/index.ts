// `@keelson/core/report`: running reports. A plugin that only has records to report on declares a `reportSource`.

// Sources and fields: what can be reported on.
export { findSource, fieldsFor, requireSource, sourceNames, type ReportSource } from './source.ts';
export { fieldTypes, operators } from './field.ts';
export { periods, periodsOf } from './period.ts';

// Running reports: how one is checked, run and written to a file.
export { checkReport, reportQueryFields, type ReportQuery } from './definition.ts';
export {
  inReportTurn,
  runReport,
  wholeReport,
  type ReportColumn,
  type ReportRequest,
  type ReportResult,
} from './run.ts';
