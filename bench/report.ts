import { writeFileSync } from 'node:fs';
import { goals, isMet, type GoalName } from './goals.ts';

export interface Report {
  /** Records a figure that has a goal. */
  measured(name: GoalName, value: number): void;
  /** Adds a table of other figures. */
  table(title: string, rows: readonly Readonly<Record<string, string | number>>[]): void;
  note(line: string): void;
  /** Prints the goals and writes the JSON; returns whether all measured goals are met. */
  finish(path: string | undefined): boolean;
}

export function createReport(print: (line: string) => void): Report {
  const found: { name: GoalName; value: number }[] = [];
  const tables: Record<string, unknown> = {};
  const notes: string[] = [];
  const show = (title: string, rows: readonly Readonly<Record<string, string | number>>[]) => {
    print(`\n${title}`);
    for (const line of lines(rows)) print(`  ${line}`);
  };
  return {
    measured: (name, value) => void found.push({ name, value }),
    table(title, rows) {
      tables[title] = rows;
      show(title, rows);
    },
    note(line) {
      notes.push(line);
      print(line);
    },
    finish(path) {
      const results = found.map(({ name, value }) => {
        const { name: title, comparison, goal } = goals[name];
        return { goal: title, wanted: `${comparison} ${goal}`, measured: round(value), result: verdict(name, value) };
      });
      show('Goals', results);
      if (path) writeFileSync(path, `${JSON.stringify({ goals: results, tables, notes }, undefined, 2)}\n`);
      return found.every(({ name, value }) => isMet(goals[name], value));
    },
  };
}

/** Rounds to three significant digits. */
export function round(value: number): number {
  return Number(value.toPrecision(3));
}

function verdict(name: GoalName, value: number): string {
  return isMet(goals[name], value) ? 'ok' : 'UNDER';
}

function lines(rows: readonly Readonly<Record<string, string | number>>[]): string[] {
  const names = Object.keys(rows[0] ?? {});
  const all = [names, ...rows.map((row) => names.map((name) => String(row[name] ?? '')))];
  const widths = names.map((_, i) => Math.max(...all.map((row) => row[i]?.length ?? 0)));
  return all.map((row) =>
    row
      .map((cell, i) => cell.padEnd(widths[i] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
