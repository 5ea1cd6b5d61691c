// `@keelson/core/kit`: small utilities.

// Work: concurrency, isolation of failures, memoization and yielding.
export { abreast, type Abreast } from './abreast.ts';
export { batchesApart, eachApart, partsApart, type Batches, type Part } from './each-apart.ts';
export { memoize } from './memoize.ts';
export { pause } from './pause.ts';
export { yieldToOthers } from './yield.ts';

// Problems: errors that few functions throw, and what an error says.
export { explained } from './explained.ts';
export { messageOf } from './message-of.ts';
export { tooLarge, tooMany, unavailable } from './problem.ts';

// Money, and objects keyed by caller-supplied names.
export { decimalsOf, MINOR_PARTS, moneyForm } from './money.ts';
export { dictionary, dictionaryOf, isForbiddenName, type Dictionary } from './dictionary.ts';

// Values: schemas, dates, HTML and identifiers.
export { parse, safeParse } from './validate.ts';
export { dayInWords, fromDatabase, instant, mondayOf, unixSeconds } from './time.ts';
export { dayIn, endOf, isZone, readDay, readMoment, startOf, zoneOf, type Zone } from './moment.ts';
export { html, type Html } from './html.ts';
export { newId, uuid } from './random.ts';

// Text: truncation, and splitting into words for search.
export { cutTo } from './characters.ts';
export { searchedWords, wordsIn } from './normal.ts';

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
} from './ip.ts';
