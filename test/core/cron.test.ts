import test from 'ava';
import { cronFault, isTooOften, nextTime } from '../../packages/events/job/cron.ts';
import { utc, zoneOf } from '../../packages/kit/moment.ts';

const berlin = zoneOf('Europe/Berlin');

test('a cron expression has five fields, and may name the last day or the second Tuesday', (t) => {
  for (const line of ['0 8 * * 1-5', '*/15 * * * MON', '0 0 29 2 *', '0 8 L * *', '0 8 * * 2#2', '0 8 31 2 *'])
    t.is(cronFault(line), undefined, line);
  for (const line of ['', 'daily', '0 8 * *', '0 0 8 * * *', '61 * * * *', '0 8 0 * *', '0 8 * * 8'])
    t.regex(cronFault(line) ?? '', /five fields/, line);
});

test('full names and ranges that wrap around are accepted, dates are not', (t) => {
  const after = '2026-01-01T00:00:00.000Z';
  const times = (line: string) => {
    const found = [nextTime(line, utc, after)];
    for (let i = 0; i < 3; i++) found.push(nextTime(line, utc, found.at(-1) ?? after));
    return found.map((each) => each?.slice(5, 13));
  };
  t.deepEqual(times('0 8 * * Monday'), ['01-05T08', '01-12T08', '01-19T08', '01-26T08']);
  t.deepEqual(times('0 8 * * fri-mon'), ['01-02T08', '01-03T08', '01-04T08', '01-05T08']);
  t.deepEqual(times('0 8 * * 5-1'), times('0 8 * * fri-mon'));
  t.deepEqual(times('0 22-4/2 1 * *'), ['01-01T02', '01-01T04', '01-01T22', '02-01T00']);
  t.deepEqual(times('0 8 1 november-february *'), ['01-01T08', '02-01T08', '11-01T08', '12-01T08']);
  t.deepEqual(times('0 23-1 * * *'), ['01-01T01', '01-01T23', '01-02T00', '01-02T01']);
  t.deepEqual(times('0 8 5-5 * *'), ['01-05T08', '02-05T08', '03-05T08', '04-05T08']);
  t.is(nextTime('0 8 * * friday#2', utc, after), '2026-01-09T08:00:00.000Z');
  for (const line of [
    '2030-01-01T00:00:00',
    '@daily',
    '0 8 * * mondays',
    '0 8 * * 8-2',
    '0 25-2 * * *',
    '0 8:30 * * *',
  ])
    t.regex(cronFault(line) ?? '', /five fields/, line);
});

test('a step may begin at a value', (t) => {
  const at = '2026-01-01T00:00:00.000Z';
  const times = (line: string) => {
    const found = [nextTime(line, utc, at)];
    for (let i = 0; i < 3; i++) found.push(nextTime(line, utc, found.at(-1) ?? at));
    return found;
  };
  for (const [line, range] of [
    ['5/15 * * * *', '5-59/15 * * * *'],
    ['0 6/8 * * *', '0 6-23/8 * * *'],
    ['0 8 1/10 * *', '0 8 1-31/10 * *'],
    ['0 8 1 jan/6 *', '0 8 1 1-12/6 *'],
    ['0 8 * * monday/2', '0 8 * * 1-6/2'],
    ['0 8,9/6 * * *', '0 8,9-23/6 * * *'],
  ] as const) {
    t.is(cronFault(line), undefined, line);
    t.deepEqual(times(line), times(range), line);
  }
  for (const line of [
    '5/0 * * * *',
    '60/5 * * * *',
    '/15 * * * *',
    '5/ * * * *',
    '0 8 0/2 * *',
    '0 8 * * 8/2',
    'L/2 8 * * *',
  ])
    t.regex(cronFault(line) ?? '', /five fields/, line);
});

test('the next time follows the clock of the zone, and is later than the moment asked about', (t) => {
  t.is(nextTime('0 8 * * *', berlin, '2026-07-01T05:59:59.999Z'), '2026-07-01T06:00:00.000Z');
  t.is(nextTime('0 8 * * *', berlin, '2026-07-01T06:00:00.000Z'), '2026-07-02T06:00:00.000Z');
  t.is(nextTime('0 8 13 * 5', utc, '2026-01-01T00:00:00.000Z'), '2026-02-13T08:00:00.000Z', 'both days must fit');
  t.is(nextTime('0 8 * * 2#2', utc, '2026-12-01T00:00:00.000Z'), '2026-12-08T08:00:00.000Z');
  t.is(nextTime('0 0 29 2 *', utc, '2026-03-01T00:00:00.000Z'), '2028-02-29T00:00:00.000Z');
  t.is(nextTime('0 8 31 2 *', utc, '2026-03-01T00:00:00.000Z'), undefined);
});

test('a time skipped by a clock change is due at its end, and a repeated one once', (t) => {
  t.is(nextTime('30 2 * * *', berlin, '2026-03-28T12:00:00.000Z'), '2026-03-29T01:00:00.000Z');
  t.is(nextTime('30 2 * * *', berlin, '2026-03-29T01:00:00.000Z'), '2026-03-30T00:30:00.000Z');
  t.is(nextTime('30 2 * * *', berlin, '2026-10-24T12:00:00.000Z'), '2026-10-25T00:30:00.000Z');
  t.is(nextTime('30 2 * * *', berlin, '2026-10-25T00:30:00.000Z'), '2026-10-26T01:30:00.000Z');
});

test('intervals of less than an hour are too frequent', (t) => {
  const now = '2026-03-28T12:00:00.000Z';
  t.true(isTooOften('*/30 * * * *', berlin, now));
  t.true(isTooOften('0,59 8 * * *', berlin, now));
  t.false(isTooOften('0 * * * *', berlin, now));
  t.false(isTooOften('0 8 31 2 *', berlin, now));
});
