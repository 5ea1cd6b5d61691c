// Module switches per customer company. When a module is off, the helpdesk surface returns 403 (Z-23).
import { cache } from '@keelson/database/cache.ts';
import type { Transaction } from '@keelson/database/db.ts';
import { flag, int, table, text, when } from '@keelson/database/schema/table.ts';
import type { SteadyClock, Timestamp } from '@keelson/kit/time.ts';
import type { Plugin } from '../plugin.ts';
import type { Reader } from './settings.ts';

/** Explicitly set switches. Others use the plugin's default. No foreign key, because core has no companies table. */
export const ModuleSwitch = table('module_switch', {
  company_number: int().primary(),
  module: text(64).primary(),
  enabled: flag(),
  updated_at: when(),
});

export interface Switches {
  /** Returns true if the module is on for the company. Changes appear at once here, within 2 s in other processes. */
  enabled(reader: Reader, companyNumber: number, module: string): Promise<boolean>;
  /** Returns the state of every switchable module for a company, in plugin order (D-16). */
  of(reader: Reader, companyNumber: number): Promise<Readonly<Record<string, boolean>>>;
  /** Returns the default states, for a company without switches (SY-02). */
  defaults(): Readonly<Record<string, boolean>>;
  set(tx: Transaction, companyNumber: number, states: Readonly<Record<string, boolean>>, now: Timestamp): Promise<void>;
}

type States = Readonly<Record<string, boolean>>;

const MAX_COMPANIES = 10_000;

/** Creates the switches of the plugins that have one. */
export function createSwitches(plugins: readonly Plugin[], clock: SteadyClock): Switches {
  const defaults = Object.freeze(
    Object.fromEntries(plugins.flatMap(({ id, perCompany }) => (perCompany ? [[id, perCompany.default]] : []))),
  );
  const known = cache<number, States>(
    { clock },
    async (db, company_number) => {
      const rows = await db.findBy(ModuleSwitch, { company_number });
      const set = rows.filter((row) => Object.hasOwn(defaults, row.module)).map((row) => [row.module, row.enabled]);
      return Object.freeze({ ...defaults, ...Object.fromEntries(set) });
    },
    { max: MAX_COMPANIES },
  );
  const of = ({ db }: Reader, companyNumber: number) => known.get(db, companyNumber);
  return {
    of,
    defaults: () => defaults,
    enabled: async (reader, companyNumber, module) => (await of(reader, companyNumber))[module] ?? true,
    async set(tx, companyNumber, states, now) {
      known.changing(tx);
      for (const [module, enabled] of Object.entries(states)) {
        const row = { company_number: companyNumber, module, enabled, updated_at: now };
        await tx.upsert(ModuleSwitch, row, ['company_number', 'module']);
      }
    },
  };
}
