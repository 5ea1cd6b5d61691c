// Formats values for documents.
import { cellText, type ExportKind } from './rows.ts';

export interface DocumentTexts {
  of(value: unknown, kind: ExportKind | undefined): string;
}

/** How documents write in a language. */
export interface DocumentWords {
  /** `en`, `de`, … */
  readonly language: string;
  readonly yes: string;
  readonly no: string;
}

const MONTH = /^\d{4}-\d\d$/;

const english: DocumentWords = { language: 'en', yes: 'Yes', no: 'No' };

/**
 * Formats timestamps in a time zone, in the same form as our mails: `2 Mar 2026, 09:00`. Choices are translated before
 * they get here.
 */
export function documentTexts(timeZone: string, { language, yes, no }: DocumentWords = english): DocumentTexts {
  const locale = language === 'en' ? 'en-GB' : language;
  const day = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' });
  // Ungrouped, because ids and ticket numbers are numbers, too.
  const number = new Intl.NumberFormat(locale, { maximumFractionDigits: 10, useGrouping: false });
  const month = new Intl.DateTimeFormat(locale, { month: 'long', year: 'numeric', timeZone: 'UTC' });
  const moment = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone });
  return {
    of(value, kind) {
      if (typeof value === 'boolean') return value ? yes : no;
      if (typeof value === 'number') return number.format(value);
      const text = cellText(value);
      if (text === '') return '';
      if (kind === 'moment') return whole(moment.format(Date.parse(text)));
      if (kind === 'day') return whole((MONTH.test(text) ? month : day).format(Date.parse(text)));
      return text;
    },
  };
}

/** Allows a line break between date and time only. */
function whole(date: string): string {
  return date.replace(/ (?!\d\d:)/g, '\u00a0');
}
