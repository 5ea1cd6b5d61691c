// Module switches per customer company (N: "modules"): off answers 403 on the helpdesk surface (Z-23).
import type { Db, Transaction } from '../database/db.ts';
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

interface Known {
  readonly at: number;
  readonly states: Promise<States>;
  settled: boolean;
}

const FRESH_MS = 2000;
const MAX_COMPANIES = 10_000;

/** Reads and writes the switches of the plugins that have one. `monotonic` answers milliseconds. */
export function createSwitches(plugins: readonly Plugin[], monotonic: () => number): Switches {
  const known = new Map<number, Known>();
  const defaults = Object.freeze(
    Object.fromEntries(plugins.flatMap(({ id, perCompany }) => (perCompany ? [[id, perCompany.default]] : []))),
  );
  const read = async (db: Db, companyNumber: number) => {
    const rows = await db.find(ModuleSwitch, { company_number: companyNumber });
    const set = rows.filter((row) => Object.hasOwn(defaults, row.module)).map((row) => [row.module, row.enabled]);
    return Object.freeze({ ...defaults, ...Object.fromEntries(set) });
  };
  const of = ({ db, tx }: Reader, companyNumber: number) => {
    const cached = known.get(companyNumber);
    // A transaction must not wait for a read outside of it: on SQLite that one waits for the transaction.
    if (cached && monotonic() - cached.at < FRESH_MS && (cached.settled || !tx)) return cached.states;
    const states = read(db, companyNumber);
    // What a transaction sees may be rolled back: it is not for others.
    if (tx) return states;
    if (known.size >= MAX_COMPANIES) known.clear();
    const entry: Known = { at: monotonic(), states, settled: false };
    known.set(companyNumber, entry);
    states.then(
      () => (entry.settled = true),
      () => known.delete(companyNumber),
    );
    return states;
  };
  return {
    of,
    defaults: () => defaults,
    enabled: async (reader, companyNumber, module) => (await of(reader, companyNumber))[module] ?? true,
    async set(tx, companyNumber, states, now) {
      for (const [module, enabled] of Object.entries(states)) {
        const row = { company_number: companyNumber, module, enabled, updated_at: now };
        await tx.upsert(ModuleSwitch, row, ['company_number', 'module']);
      }
      tx.afterCommit(() => known.delete(companyNumber));
    },
  };
}
