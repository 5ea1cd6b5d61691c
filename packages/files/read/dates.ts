// Dates as people and programs write them in files.

/** Date formats of files: year, day or month first. ISO dates and those with a month's name are always recognised. */
export const dateForms = ['ymd', 'dmy', 'mdy'] as const;
export type DateForm = (typeof dateForms)[number];

export interface DateReading {
  /** Day or month first, in dates that do not start with the year. */
  readonly dates?: DateForm | undefined;
}

/** Longer text is not a date, and is not matched against any pattern. */
const LONGEST = 60;

/** `24.10.2014`, `10/24/14 13:00`, `2014. 10. 24.`: three numbers, optionally followed by a time. */
const NUMBERS = /^(\d{1,4})([./-]) ?(\d{1,2})[./-] ?(\d{1,4})\.?(?:,? .*|T.*)?$/;
/** `20141024`, `2014年10月24日`. */
const YEAR_FIRST = /^(?:((?:19|20)\d{2})(\d{2})(\d{2})|(\d{4})年(\d{1,2})月(\d{1,2})日)$/;
/** Days since 30 December 1899, as spreadsheets store dates: five digits, which are the years 1927 to 2173. */
const SERIAL = /^([1-9]\d{4})(?:[.,]\d+)?$/;

const WEEKDAY = String.raw`(?:\p{L}{2,10}[.,]{0,2} )?`;
const TIME = String.raw`(?:,? .*)?$`;
/** `24 Oct 2014`, `24-Oct-14`, `Fri, 24. Oktober 2014`, `24 de octubre de 2014`. */
const DAY_NAME = new RegExp(
  String.raw`^${WEEKDAY}(\d{1,2})(?:st|nd|rd|th|er|\.)? ?[/-]?(?:de )?(\p{L}{3,10})\.? ?[/-]?(?:de )?(\d{4}|\d{2})${TIME}`,
  'u',
);
/** `Oct 24, 2014`, `Fri Oct 24th 2014`. */
const NAME_DAY = new RegExp(String.raw`^${WEEKDAY}(\p{L}{3,10})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})${TIME}`, 'u');
/** `2014-Oct-24`. */
const YEAR_NAME = new RegExp(String.raw`^(\d{4})[ /-](\p{L}{3,10})\.?[ /-](\d{1,2})${TIME}`, 'u');

/** How the names of months begin in English, German, French, Spanish, Italian, Dutch, Portuguese and Scandinavian. */
const MONTHS: readonly (readonly string[])[] = [
  ['jan', 'gen', 'ene'],
  ['feb', 'fev'],
  ['mar', 'maa', 'mrt', 'mrz'],
  ['apr', 'avr', 'abr'],
  ['may', 'mai', 'maj', 'mei', 'mag'],
  ['jun', 'juin', 'giu'],
  ['jul', 'juil', 'lug'],
  ['aug', 'aou', 'ago'],
  ['sep', 'set'],
  ['oct', 'okt', 'ott', 'out'],
  ['nov'],
  ['dec', 'dez', 'dic', 'des'],
];

/**
 * Returns a date as `YYYY-MM-DD`; undefined for other text, and for one that is ambiguous. Dates with dots, such as
 * `03.04.2014`, have the day first, unless `dates` says otherwise.
 */
export function isoDate(text: string, { dates }: DateReading): string | undefined {
  if (text.length > LONGEST) return undefined;
  const [, a = '', mark, b = '', c = ''] = NUMBERS.exec(text) ?? [];
  if (a === '') return sureDate(text);
  if (a.length === 4) return dayOf(a, b, c);
  const [dayFirst, monthFirst] = [dayOf(c, b, a), dayOf(c, a, b)];
  if (dates === 'dmy') return dayFirst;
  if (dates === 'mdy') return monthFirst;
  if (dates !== undefined) return undefined;
  if (mark === '.' || monthFirst === undefined || dayFirst === monthFirst) return dayFirst ?? monthFirst;
  return dayFirst === undefined ? monthFirst : undefined;
}

/** Returns the possible readings of a date: two for `03/04/2014`, one for `24/10/2014` and `03.04.2014`. */
export function readingsOf(text: string): ReadonlyMap<DateForm, string> {
  const only = isoDate(text, {});
  return new Map(
    dateForms.flatMap((dates) => {
      const day = isoDate(text, { dates });
      return day === undefined || (only !== undefined && day !== only) ? [] : [[dates, day] as const];
    }),
  );
}

/** `0000-00-00`, `N/A`, `-`, and the first date that a program knows: what programs write for no date. */
export const isNoDate = (text: string): boolean => NO_DATE.test(text) || FIRST_DATE.test(text);
const NO_DATE = /^(?:[0\s:./-]{1,19}|n\/?a|null|none|never)$/i;
/** The first of .NET, of OLE and of Excel, in any order and with or without a time. */
const FIRST_DATE =
  /^(?:0001-01-01|(?:0?1[./-]){2}0001|1899-12-30|(?:30[./-]12|12[./-]30)[./-]1899|1900-01-00|(?:0?1[./-]0?0|0?0[./-]0?1)[./-]1900)(?!\d)/;

/** Reads dates that have only one reading. */
function sureDate(text: string): string | undefined {
  const [, serial] = SERIAL.exec(text) ?? [];
  if (serial !== undefined) return new Date(Date.UTC(1899, 11, 30 + Number(serial))).toISOString().slice(0, 10);
  const [, ...ymd] = YEAR_FIRST.exec(text)?.filter(Boolean) ?? [];
  const [year = '', month = '', day = ''] = ymd;
  if (year !== '') return dayOf(year, month, day);
  const plain = text.normalize('NFD').replaceAll(/\p{M}/gu, '').replaceAll(/\s+/g, ' ').toLowerCase();
  const named = [
    [DAY_NAME, 3, 2, 1],
    [NAME_DAY, 3, 1, 2],
    [YEAR_NAME, 1, 2, 3],
  ] as const;
  for (const [form, y, m, d] of named) {
    const found = form.exec(plain);
    const number = monthOf(found?.[m] ?? '');
    if (found && number > 0) return dayOf(found[y] ?? '', String(number), found[d] ?? '');
  }
  return undefined;
}

/** Returns the number of a month; 0 for another word. */
function monthOf(word: string): number {
  return MONTHS.findIndex((each) => each.some((start) => word.startsWith(start))) + 1;
}

/** Two-digit years mean 1970 to 2069. */
function dayOf(year: string, month: string, day: string): string | undefined {
  const full = year.length === 2 ? Number(year) + (Number(year) < 70 ? 2000 : 1900) : Number(year);
  if ((year.length !== 4 && year.length !== 2) || full < 1000) return undefined;
  const date = new Date(Date.UTC(full, Number(month) - 1, Number(day)));
  if (date.getUTCMonth() !== Number(month) - 1 || date.getUTCDate() !== Number(day)) return undefined;
  return date.toISOString().slice(0, 10);
}
