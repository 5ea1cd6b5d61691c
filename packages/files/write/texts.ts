// Formats values for documents.
import { cellText, type ExportKind } from './rows.ts';

export interface DocumentTexts {
  of(value: unknown, kind: ExportKind | undefined): string;
}

/** Formats timestamps in a time zone, in the same form as our mails: `2 Mar 2026, 09:00`. */
export function documentTexts(timeZone: string): DocumentTexts {
  const day = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeZone: 'UTC' });
  const moment = new Intl.DateTimeFormat('en-GB', { dateStyle: 'medium', timeStyle: 'short', timeZone });
  return {
    of(value, kind) {
      if (typeof value === 'boolean') return value ? 'Yes' : 'No';
      const text = cellText(value);
      if (text === '') return '';
      if (kind === 'moment') return whole(moment.format(Date.parse(text)));
      if (kind === 'day') return whole(day.format(Date.parse(text)));
      return kind === 'choice' ? label(text) : text;
    },
  };
}

/** Allows a line break between date and time only. */
function whole(date: string): string {
  return date.replace(/ (?!\d\d:)/g, '\u00a0');
}

/** `in_progress` → `In progress` */
function label(choice: string): string {
  const words = choice.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
