// Module switches per customer company (N: "modules"): off answers 403 on the helpdesk surface (Z-23).
import { cache } from '../database/cache.ts';
import type { Transaction } from '../database/db.ts';
import type { Plugin } from './plugin.ts';
import type { Reader } from './settings.ts';
import { flag, int, table, text, when } from '../database/table.ts';
import type { Timestamp } from '../kit/time.ts';

/** What a company's switch was set to; without a row the plugin's default holds. No reference: core knows no companies. */
export const ModuleSwitch = table('module_switch', {
  company_number: int().primary(),
  module: text(64).primary(),
  enabled: flag(),
  updated_at: when(),
});

export interface Switches {
  /** Is the module on for the company? In this process a change counts at once, in others within two seconds. */
  enabled(reader: Reader, companyNumber: number, module: string): Promise<boolean>;
  /** Every switchable module's state for a company, in the plugins' order (D-16). */
  of(reader: Reader, companyNumber: number): Promise<Readonly<Record<string, boolean>>>;
  /** The states a company has when nobody has set any (SY-02). */
  defaults(): Readonly<Record<string, boolean>>;
  set(tx: Transaction, companyNumber: number, states: Readonly<Record<string, boolean>>, now: Timestamp): Promise<void>;
}

type States = Readonly<Record<string, boolean>>;

const MAX_COMPANIES = 10_000;

/** Reads and writes the switches of the plugins that have one. */
export function createSwitches(plugins: readonly Plugin[]): Switches {
  const defaults = Object.freeze(
    Object.fromEntries(plugins.flatMap(({ id, perCompany }) => (perCompany ? [[id, perCompany.default]] : []))),
  );
  const known = cache<number, States>(
    async (db, company_number) => {
      const rows = await db.find(ModuleSwitch, { company_number });
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
