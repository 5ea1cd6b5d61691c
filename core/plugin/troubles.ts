// Problems that need an administrator: failing jobs, abandoned deliveries, wrong counters, plugins left out, missing
// fonts. The installation keeps running despite them, so nothing else would report them.
import { failingJobs } from '@keelson/events/job/job-run.ts';
import { plus, type Timestamp } from '@keelson/kit/time.ts';
import { z } from 'zod';
import type { App } from './app.ts';
import type { Context } from './context.ts';
import type { StrayError } from './inside.ts';
import { unstarted } from './load/lifecycle.ts';
import { perApp } from './per-app.ts';
import { setting } from './setting/settings.ts';

/** A problem and what to do about it. */
export interface Trouble {
  readonly kind: 'job' | 'deliveries' | 'counter' | 'plugin' | 'fonts';
  /** The name of the job, counter or plugin, or of who failed to receive deliveries. Empty for fonts. */
  readonly name: string;
  /** One or two sentences for an administrator. */
  readonly detail: string;
}

/** Counters whose stored counts were found wrong, and when. They have been recounted since. */
export const WrongCounters = setting(
  'core.wrong_counters',
  z.array(z.object({ name: z.string(), wrong: z.int(), at: z.iso.datetime() })),
  [],
);

/** Characters missing from all fonts used in PDFs, and when they last occurred. */
export const UndrawnLetters = setting(
  'core.undrawn_letters',
  z.object({ letters: z.string(), at: z.iso.datetime().nullable() }),
  { letters: '', at: null },
);

/** The last uncaught error of each plugin (inside.ts). */
const StrayErrors = setting(
  'core.stray_errors',
  z.array(z.object({ plugin: z.string(), message: z.string(), at: z.iso.datetime() })),
  [],
);
const MOST_STRAY = 20;
const LONGEST_MESSAGE = 500;
const STRAY_REPORTED = { days: -1 } as const;

/** Minimum interval between records of missing characters. */
const NOTED_FOR = { days: -1 } as const;
const MOST_LETTERS = 50;

/** How long a repaired counter or missing characters stay in the report. */
const REPORTED = { days: -7 } as const;

/** Returns all problems of the installation. @throws when the database does not respond */
export async function readTroubles(ctx: Context): Promise<Trouble[]> {
  const { app } = ctx;
  return [
    ...(await jobTroubles(ctx)),
    ...(await failedDeliveries(app)),
    ...(await wrongCounters(ctx)),
    ...leftOut(app),
    ...failedToStart(app),
    ...(await strayErrors(ctx)),
    ...(await undrawn(ctx)),
  ];
}

async function jobTroubles({ app, db, now }: Context): Promise<Trouble[]> {
  const known = new Set((await app.scheduler.list()).map(({ name }) => name));
  return (await failingJobs(db, now))
    .filter(({ name }) => known.has(name))
    .map(({ name, error, isInARow }) => ({
      kind: 'job',
      name,
      detail: `The job ${name} ${isInARow ? 'failed at its last two runs' : 'fails again and again'}: ${error}. See the log for the full error.`,
    }));
}

/** Returns the permanently failed deliveries of each subscriber, those of all webhooks together. */
async function failedDeliveries({ outbox }: App): Promise<Trouble[]> {
  const found = new Map<string, number>();
  for (const [subscriber, parked] of await outbox.parked()) {
    const name = subscriber.replace(/:.*/, '');
    found.set(name, (found.get(name) ?? 0) + parked);
  }
  return [...found].map(([name, parked]) => ({
    kind: 'deliveries',
    name,
    detail: `${parked} ${parked === 1 ? 'delivery' : 'deliveries'} to “${name}” failed permanently. See the log for the cause; once it is mended, resend them from the pages of webhooks, or all with “node cli.js redeliver”.`,
  }));
}

async function wrongCounters(ctx: Context): Promise<Trouble[]> {
  const found = await ctx.app.settings.get(ctx, WrongCounters);
  const since: Timestamp = plus(ctx.now, REPORTED);
  return found
    .filter(({ at }) => at >= since)
    .map(({ name, wrong, at }) => ({
      kind: 'counter',
      name,
      detail: `The counter ${name} had ${wrong} wrong counts and was repaired at ${at}. If this happens again, report it with the log of that day.`,
    }));
}

function leftOut({ leftOut: faults }: App): Trouble[] {
  return faults.map(({ plugin, message }) => ({
    kind: 'plugin',
    name: plugin,
    detail: `The plugin ${plugin} is left out: ${message}. Fix or remove it, then restart.`,
  }));
}

function failedToStart(app: App): Trouble[] {
  return unstarted(app).map(({ plugin, message }) => ({
    kind: 'plugin',
    name: plugin,
    detail: `The plugin ${plugin} ${message}. The rest of it works. Fix or remove it, then restart.`,
  }));
}

async function strayErrors(ctx: Context): Promise<Trouble[]> {
  const found = await ctx.app.settings.get(ctx, StrayErrors);
  const since: Timestamp = plus(ctx.now, STRAY_REPORTED);
  return found
    .filter(({ at }) => at >= since)
    .map(({ plugin, message, at }) => ({
      kind: 'plugin',
      name: plugin,
      detail: `The plugin ${plugin} let an error escape from a timer, a socket or a promise, last at ${at}: ${message}. It must catch such errors. Fix or remove it, then restart. This notice disappears a day after the last error.`,
    }));
}

/** Records an uncaught error of a plugin. A failure to record it is only logged. */
export async function noteStrayError(app: App, { plugin, message }: StrayError): Promise<void> {
  const ctx = app.system();
  const noted = { plugin, message: message.slice(0, LONGEST_MESSAGE), at: ctx.now };
  try {
    await ctx.transaction((inside) =>
      app.settings.change(inside, StrayErrors, (known) =>
        [...known.filter((each) => each.plugin !== plugin), noted].slice(-MOST_STRAY),
      ),
    );
  } catch (err) {
    app.log.error({ err, plugin }, 'could not record the error of a plugin');
  }
}

async function undrawn(ctx: Context): Promise<Trouble[]> {
  const { letters, at } = await ctx.app.settings.get(ctx, UndrawnLetters);
  if (at === null || at < plus(ctx.now, REPORTED)) return [];
  return [
    {
      kind: 'fonts',
      name: '',
      detail: `PDFs contain characters missing from all installed fonts, shown as �: ${letters}. Install a font for them (“Fonts” in docs/install.md). This notice disappears seven days after the last such PDF.`,
    },
  ];
}

/**
 * Records characters that no font could draw in a document. The document itself is complete, so a failure to record
 * them is only logged.
 */
export async function reportUndrawn({ app, now, log }: Context, letters: string): Promise<void> {
  if (letters === '') return;
  const ctx = app.system();
  try {
    const known = await app.settings.get(ctx, UndrawnLetters);
    const isKnown = Array.from(letters).every((each) => known.letters.includes(each));
    if (isKnown && known.at !== null && known.at > plus(now, NOTED_FOR)) return;
    await ctx.transaction((inside) =>
      app.settings.change(inside, UndrawnLetters, (before) => {
        const all = new Set(Array.from(letters + before.letters));
        return { letters: [...all].slice(0, MOST_LETTERS).join(''), at: now };
      }),
    );
  } catch (err) {
    log.error({ err }, 'could not record characters missing from fonts');
  }
}

/** How long /ready reuses a result, in milliseconds. Load balancers poll every second. */
const FRESH_MS = 10_000;

/** Returns the problem names for /ready, read at most every ten seconds. Empty while the database is unreachable. */
export const troubleNames = perApp((app) => {
  let readAt = -Infinity;
  let latest: Promise<TroubleNames> = Promise.resolve({});
  return () => {
    if (performance.now() - readAt < FRESH_MS) return latest;
    readAt = performance.now();
    latest = readTroubles(app.system()).then(
      (troubles) => namesOf(app, troubles),
      () => ({}),
    );
    return latest;
  };
});

/** An absent member means there is nothing to report. */
export interface TroubleNames {
  readonly jobs_failing?: readonly string[];
  readonly deliveries_failed?: boolean;
  readonly counters_repaired?: readonly string[];
  readonly fonts_missing?: boolean;
  /** Plugins that run with errors. */
  readonly plugins_failing?: readonly string[];
}

function namesOf({ leftOut: faults }: App, troubles: readonly Trouble[]): TroubleNames {
  const of = (kind: Trouble['kind']) => troubles.filter((each) => each.kind === kind).map(({ name }) => name);
  const [jobs, counters] = [of('job'), of('counter')];
  const missing = new Set(faults.map(({ plugin }) => plugin));
  const plugins = [...new Set(of('plugin'))].filter((each) => !missing.has(each));
  return {
    ...(jobs.length > 0 && { jobs_failing: jobs }),
    ...(of('deliveries').length > 0 && { deliveries_failed: true }),
    ...(counters.length > 0 && { counters_repaired: counters }),
    ...(of('fonts').length > 0 && { fonts_missing: true }),
    ...(plugins.length > 0 && { plugins_failing: plugins }),
  };
}
