// Names backups, and decides which of them to keep.
const NAME = /^keelson-([a-z0-9-]+)-(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})(\d{3})?Z(-scheduled)?\.backup$/;

/**
 * Formats `keelson-default-20261122T013000000Z-scheduled.backup`; milliseconds distinguish two backups within one
 * second.
 */
export function backupName(tenant: string, at: string, { scheduled = false } = {}): string {
  return `keelson-${tenant}-${at.slice(0, 23).replaceAll(/[-:.]/g, '')}Z${scheduled ? '-scheduled' : ''}.backup`;
}

/** Whether a schedule made the backup; backups made by people or by a restore are kept until someone deletes them. */
const isScheduled = (name: string): boolean => NAME.exec(name)?.[9] !== undefined;

/** Returns the time in a name; undefined if it is not a backup of this tenant. */
export function madeAt(name: string, tenant: string): string | undefined {
  const [, of, year, month, day, hour, minute, second, fraction = '000'] = NAME.exec(name) ?? [];
  return of === tenant ? `${year}-${month}-${day}T${hour}:${minute}:${second}.${fraction}Z` : undefined;
}

export interface Keep {
  readonly daily: number;
  readonly weekly: number;
  readonly monthly: number;
}

const WEEK = 7 * 86_400_000;

/**
 * Returns the scheduled backups to delete. Keeps the newest of each of the last days, weeks and months, and the newest
 * of all.
 */
export function outdated(names: readonly string[], tenant: string, keep: Keep): string[] {
  const dated = names.flatMap((name) => {
    const at = madeAt(name, tenant);
    return at === undefined || !isScheduled(name) ? [] : [{ name, at }];
  });
  const newest = dated.toSorted((a, b) => (a.at < b.at ? 1 : -1));
  const kept = new Set(newest.slice(0, 1).map((each) => each.name));
  const periods = [
    { most: keep.daily, of: (at: string) => at.slice(0, 10) },
    // Weeks start on Monday; the Unix epoch was a Thursday.
    { most: keep.weekly, of: (at: string) => String(Math.floor((Date.parse(at) + 3 * 86_400_000) / WEEK)) },
    { most: keep.monthly, of: (at: string) => at.slice(0, 7) },
  ];
  for (const { most, of } of periods) {
    const first = new Map<string, string>();
    for (const { name, at } of newest) if (!first.has(of(at))) first.set(of(at), name);
    for (const name of [...first.values()].slice(0, most)) kept.add(name);
  }
  return newest.map((each) => each.name).filter((each) => !kept.has(each));
}
