// `@keelson/core/kit`: small utilities.

// Work: concurrency, isolation of failures, memoization and yielding.
export { abreast, type Abreast } from '@keelson/kit/abreast.ts';
export { batchesApart, eachApart, partsApart, type Batches, type Part } from '@keelson/kit/each-apart.ts';
export { memoize } from '@keelson/kit/memoize.ts';
export { pause } from '@keelson/kit/pause.ts';
export { yieldToOthers } from '@keelson/kit/yield.ts';

// Problems: errors that few functions throw, and what an error says.
export { explained } from '@keelson/kit/explained.ts';
export { messageOf } from '@keelson/kit/message-of.ts';
export { tooLarge, tooMany, unavailable } from '@keelson/kit/problem.ts';

// Money, and objects keyed by caller-supplied names.
export { decimalsOf, MINOR_PARTS, moneyForm } from '@keelson/kit/money.ts';
export { dictionary, dictionaryOf, isForbiddenName, type Dictionary } from '@keelson/kit/dictionary.ts';

// Values: schemas, dates, HTML and identifiers.
export { parse, safeParse } from '@keelson/kit/validate.ts';
export { dayInWords, fromDatabase, instant, mondayOf, unixSeconds } from '@keelson/kit/time.ts';
export { dayIn, endOf, isZone, readDay, readMoment, startOf, zoneOf, type Zone } from '@keelson/kit/moment.ts';
export { html, type Html } from '@keelson/kit/html.ts';
export { newId, uuid } from '@keelson/kit/random.ts';

// Text: truncation, and splitting into words for search.
export { cutTo } from '@keelson/kit/characters.ts';
export { searchedWords, wordsIn } from '@keelson/kit/normal.ts';

// IPv4 and IPv6 addresses, as keys that sort in address order.
export {
  ADDRESS_KEY,
  addressesBetween,
  addressKey,
  addressOfKey,
  ipNetwork,
  keyAfter,
  maskBits,
  blockOf,
  firstOf,
  isWhole,
  readAddress,
  type IpNetwork,
} from '@keelson/kit/ip.ts';
