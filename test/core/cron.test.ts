import test from 'ava';
import { cronFault, isTooOften, nextTime } from '../../core/events/cron.ts';
import { utc, zoneOf } from '../../core/kit/moment.ts';

const berlin = zoneOf('Europe/Berlin');

test('a cron line has five fields, and may name the last day or the second Tuesday', (t) => {
  for (const line of ['0 8 * * 1-5', '*/15 * * * MON', '0 0 29 2 *', '0 8 L * *', '0 8 * * 2#2', '0 8 31 2 *'])
    t.is(cronFault(line), undefined, line);
  for (const line of ['', 'daily', '0 8 * *', '0 0 8 * * *', '61 * * * *', '0 8 0 * *', '0 8 * * 8'])
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

test('a time that a clock change skips is due at its end, and a repeated one once', (t) => {
  t.is(nextTime('30 2 * * *', berlin, '2026-03-28T12:00:00.000Z'), '2026-03-29T01:00:00.000Z');
  t.is(nextTime('30 2 * * *', berlin, '2026-03-29T01:00:00.000Z'), '2026-03-30T00:30:00.000Z');
  t.is(nextTime('30 2 * * *', berlin, '2026-10-24T12:00:00.000Z'), '2026-10-25T00:30:00.000Z');
  t.is(nextTime('30 2 * * *', berlin, '2026-10-25T00:30:00.000Z'), '2026-10-26T01:30:00.000Z');
});

test('less than an hour apart is too often', (t) => {
  const now = '2026-03-28T12:00:00.000Z';
  t.true(isTooOften('*/30 * * * *', berlin, now));
  t.true(isTooOften('0,59 8 * * *', berlin, now));
  t.false(isTooOften('0 * * * *', berlin, now));
  t.false(isTooOften('0 8 31 2 *', berlin, now));
});
