export { createReport, type NewReport } from './definitions.ts';
export { Report } from './entities.ts';
export { ReadReports } from './permissions.ts';
