// Manages the open streams of a tenant in one process: one read of the feed per second for all of them, heartbeats, and
// the end of streams whose credential is no longer valid (docs/live.md).
import { perApp, secondsBetween, type App, type Context, type Timestamp } from '@keelson/core';
import { tooMany, unavailable } from '@keelson/core/kit';
import type { EventSink, StreamAnswer, Surface } from '@keelson/core/plugin';
import { contextOf } from '@keelson/core/system';
import { audienceOf, liveRecords } from './audience.ts';
import { changeReader, type ChangeReader, type SeenChange } from './changes.ts';
import { eventText } from './event-text.ts';
import { BEAT_MS, catchUp, reloadText, tell, type Listener, type OpenStream } from './listener.ts';

const PER_PERSON = 10;
const PER_PROCESS = 5000;
/** Leaves half of them to others, however many people a company has. */
const PER_COMPANY = PER_PROCESS / 2;
const LOOK_EVERY_MS = 1000;
const WAKE_MS = 50;
const LEAST_PAUSE_MS = 250;
/** Above this many events at once, send `reload`. */
const MOST_EVENTS = 500;
const RETRY_MS = 2000;

/** A tenant's streams in this process, with methods that only tests call. */
export interface LiveStreams {
  readonly streams: number;
  /**
   * Returns a stream of the changes the caller may see.
   * @param lastEventId the last event an earlier stream delivered
   * @throws tooMany() or unavailable() when there are too many streams
   */
  open(ctx: Context, surface: Surface<any>, lastEventId: string | undefined): Promise<StreamAnswer>;
  /** Ends all streams and opens no more. */
  drain(): void;
  /** Sends new changes and due heartbeats, and checks the callers that are due. */
  look(): Promise<void>;
  /** Makes every caller due for a check. */
  checkAll(): void;
  /** Stops the timer; only `look` reads changes then. */
  stopTimer(): void;
}

const recordsOf = perApp(liveRecords);

/** Returns the streams of an application. */
export const streams = perApp(createLive);

function createLive(app: App): LiveStreams {
  const open = new Set<OpenStream>();
  let reader: Promise<ChangeReader> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let dueAt = 0;
  let lookedAt = 0;
  let looking: Promise<void> | undefined;
  let draining = false;
  let byHand = false;

  const begin = (): Promise<ChangeReader> => {
    reader ??= startReader(app).catch((error: unknown) => {
      reader = undefined;
      throw error;
    });
    return reader;
  };
  const schedule = (ms: number): void => {
    if (open.size === 0 || draining || byHand) return;
    // Look at most four times a second, however many changes wake it.
    const at = Math.max(performance.now() + ms, lookedAt + LEAST_PAUSE_MS);
    if (timer && dueAt <= at) return;
    clearTimeout(timer);
    dueAt = at;
    timer = setTimeout(() => {
      timer = undefined;
      void look();
    }, at - performance.now()).unref();
  };
  /** Reads changes now instead of within a second. */
  const wake = (): void => schedule(WAKE_MS);
  const look = (): Promise<void> =>
    (looking ??= lookOnce().finally(() => {
      looking = undefined;
      lookedAt = performance.now();
      schedule(LOOK_EVERY_MS);
    }));
  const lookOnce = async (): Promise<void> => {
    try {
      await tellChanges(app, await begin(), [...open]);
      await checkCallers(app, open);
    } catch (err) {
      // Keep the streams open: they receive the missed changes once the database is back.
      app.log.warn({ err }, 'live: could not read changes');
    }
  };
  const over = (stream: OpenStream): void => {
    open.delete(stream);
    if (open.size > 0) return;
    app.afterChanges.delete(wake);
    clearTimeout(timer);
    timer = reader = undefined;
  };
  const listen = (sink: EventSink, made: Omit<Listener, 'sink'>, asked: string | undefined, at: string): void => {
    const listener = { ...made, sink };
    const now = performance.now();
    const after = asked === undefined ? undefined : positionIn(asked, app.clock.now());
    const stream: OpenStream = {
      listener,
      after,
      lateSince: undefined,
      checkAt: now + CHECK_MS,
      beatAt: now + BEAT_MS,
    };
    if (draining) return sink.end();
    open.add(stream);
    app.afterChanges.add(wake);
    sink.onClose(() => over(stream));
    sink.write(`retry: ${RETRY_MS}\n\n`);
    tell(
      stream,
      asked !== undefined && after === undefined ? reloadText : '',
      after === undefined ? at : (asked ?? at),
    );
    if (after !== undefined) wake();
    else if (open.size === 1) schedule(LOOK_EVERY_MS);
  };

  return {
    get streams() {
      return open.size;
    },
    async open(ctx, surface, asked) {
      const person = `${surface.id}:${surface.principal(ctx.actor)}`;
      if (draining || open.size >= PER_PROCESS) throw unavailable('Too many streams, try again shortly');
      const company: number | undefined = surface.company(ctx.actor);
      let [own, ofCompany] = [0, 0];
      for (const { listener } of open) {
        if (listener.person === person) own++;
        if (company !== undefined && listener.company === company) ofCompany++;
      }
      if (own >= PER_PERSON) throw tooMany(RETRY_MS / 1000, `At most ${PER_PERSON} streams at once are allowed`);
      if (ofCompany >= PER_COMPANY) throw unavailable('Too many streams, try again shortly');
      const made = listenerFor(app, surface, ctx.actor);
      const started = await begin();
      const at = nameOfPosition(started.safe, app.clock.now());
      return { open: (sink) => listen(sink, made, asked, at) };
    },
    look,
    stopTimer() {
      byHand = true;
    },
    checkAll() {
      for (const each of open) each.checkAt = 0;
    },
    drain() {
      draining = true;
      clearTimeout(timer);
      for (const { listener } of open) listener.sink.end();
    },
  };
}

async function startReader(app: App): Promise<ChangeReader> {
  const reader = changeReader();
  await reader.start(app.database);
  return reader;
}

async function tellChanges(app: App, reader: ChangeReader, streams: readonly OpenStream[]): Promise<void> {
  const back = streams.flatMap(({ after }) => after ?? []);
  const { fresh, since } = await reader.read(app.database, back.length > 0 ? Math.min(...back) : undefined);
  const at = nameOfPosition(reader.safe, app.clock.now());
  const [those, others] = [
    streams.filter((each) => each.after !== undefined),
    streams.filter((each) => each.after === undefined),
  ];
  await tellAll(app, others, fresh, at);
  await tellAll(app, those, since, at);
  for (const each of those) each.after = undefined;
  const now = performance.now();
  for (const each of streams) {
    catchUp(each, at);
    if (now >= each.beatAt) tell(each, '', at);
  }
}

async function tellAll(
  app: App,
  streams: readonly OpenStream[],
  changes: readonly SeenChange[] | undefined,
  at: string,
): Promise<void> {
  if (streams.length === 0) return;
  if (changes === undefined) return streams.forEach((each) => tell(each, reloadText, at));
  if (changes.length === 0) return;
  const listeners = streams.map((each) => each.listener);
  const heard = await audienceOf(app, recordsOf(app), listeners, changes).catch((err: unknown) => {
    app.log.warn({ err }, 'live: could not read who may see changes');
  });
  // The reader will not return these changes again.
  if (!heard) return streams.forEach((each) => tell(each, reloadText, at));
  const textOf = eventText();
  for (const stream of streams) {
    const some = heard.get(stream.listener);
    if (!some) continue;
    const customer = stream.listener.company !== undefined;
    tell(stream, some.length > MOST_EVENTS ? reloadText : textOf(some, customer), at);
  }
}

// The `id` of an event: the reader's position and the time, because the feed keeps only 15 minutes.

/** Shorter than the retention, so that nothing after the position is pruned yet. */
const KEPT_SECONDS = 14 * 60;

const nameOfPosition = (position: number, now: Timestamp): string => `${position}.${secondsOf(now)}`;

/** Returns the position in an id; undefined if the id is invalid or too old to resume from. */
function positionIn(id: string, now: Timestamp): number | undefined {
  const [, position, at] = /^(\d{1,15})\.(\d{1,12})$/.exec(id) ?? [];
  if (position === undefined || at === undefined) return undefined;
  const age = secondsOf(now) - Number(at);
  return age < -60 || age > KEPT_SECONDS ? undefined : Number(position);
}

const secondsOf = (now: Timestamp): number => Math.floor(secondsBetween('1970-01-01T00:00:00.000Z', now));

// Rechecks callers every few seconds: a stream ends with its credential, and follows its caller's current permissions.

/** Interval between checks of a caller. With many streams it grows, because each look checks a limited number. */
const CHECK_MS = 5000;
const CHECKS_PER_LOOK = 150;

function listenerFor(app: App, surface: Surface<any>, actor: unknown): Omit<Listener, 'sink'> {
  return {
    surface,
    person: `${surface.id}:${surface.principal(actor)}`,
    ctx: contextOf({ app, actor, author: surface.author(actor) }),
    allowed: new Map(),
    company: surface.company(actor),
  };
}

/** Checks the callers that are due. */
async function checkCallers(app: App, streams: ReadonlySet<OpenStream>): Promise<void> {
  const now = performance.now();
  const due = [...streams].filter((each) => now >= each.checkAt).slice(0, CHECKS_PER_LOOK);
  await Promise.all(due.map((each) => checkCaller(app, each)));
}

async function checkCaller(app: App, stream: OpenStream): Promise<void> {
  stream.checkAt = performance.now() + CHECK_MS;
  const { surface, sink } = stream.listener;
  const actor = await sink.caller();
  const same = actor !== undefined && stream.listener.person === `${surface.id}:${surface.principal(actor)}`;
  if (!same) return sink.end();
  stream.listener = { ...listenerFor(app, surface, actor), sink };
}
