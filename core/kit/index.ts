// `@keelson/core/kit`: small tools.

// Work: giving others their turns, and not doing the same twice.
export { abreast, type Abreast } from './abreast.ts';
export { eachApart } from './each-apart.ts';
export { memoize } from './memoize.ts';
export { yieldToOthers } from './yield.ts';

// Problems: refusals that few functions make.
export { tooMany, unavailable } from './problem.ts';

// Names that callers choose: what is looked up by them, and which ones are refused.
export { MINOR_PARTS } from './money.ts';
export { dictionary, dictionaryOf, isForbiddenName, type Dictionary } from './dictionary.ts';

// Values: shapes, identifiers, days and HTML.
export { parse, safeParse } from './validate.ts';
export { dayInWords, fromDatabase, mondayOf } from './time.ts';
export { html, type Html } from './html.ts';
export { newId } from './random.ts';

// Texts: cut to a length, and taken apart for searching.
export { cutTo } from './characters.ts';
export { searchedWords, wordsIn } from './normal.ts';

// IP addresses: of both families, as keys that are in the order of addresses.
export {
  ADDRESS_KEY,
  addressesBetween,
  addressKey,
  addressOfKey,
  ipNetwork,
  keyAfter,
  maskBits,
  blockOf,
  readAddress,
  type IpNetwork,
} from './ip.ts';
