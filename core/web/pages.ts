// Declares what a plugin adds to the console and the portal, in its `console/pages.ts` and `portal/pages.ts`.
import type { Part, PartSpec, SheetSpec } from '../plugin/page/part.ts';
import type { Technician } from '../surfaces/admin.ts';
import type { Employee } from '../surfaces/helpdesk.ts';

/**
 * Declares a plugin's part of the staff console. Its users are technicians, so its rules are those of the
 * administrative surface and the CRM. `folder` is `import.meta.dirname`, where its files are.
 */
export function consolePart(folder: string, spec: PartSpec<Technician>): Part<Technician> {
  return part('console', folder, spec);
}

/** A record page in the console, for declarations in a separate file. */
export type ConsoleSheet = SheetSpec<Technician>;

/** Declares a plugin's part of the customer portal. */
export function portalPart(folder: string, spec: PartSpec<Employee>): Part<Employee> {
  return part('portal', folder, spec);
}

function part<Actor>(kind: Part['kind'], folder: string, spec: PartSpec<Actor>): Part<Actor> {
  const { pages = [], panels = [], columns = [], commands = [], records = [], lists = [], sheets = [] } = spec;
  return Object.freeze({ kind, folder, pages, panels, columns, commands, records, lists, sheets });
}
