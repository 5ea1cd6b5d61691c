import { number } from '@keelson/web';

const MARK = number(0.5).replaceAll(/\d/g, '');

/** Returns the text of a decimal number for a text field, with the reader's decimal mark: `95,5` in German. */
export const decimalText = (text: string): string => text.replace('.', MARK);
