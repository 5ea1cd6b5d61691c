// Guards formulas in CSV files with an apostrophe, and removes it from files that are imported again.

/**
 * Also guards formulas after invisible characters, and after `;` or a tab, which some locales use as the cell
 * separator. With a different separator, quotes no longer enclose a cell, so a line break starts a new row.
 */
export const guarded = (value: string): string => value.replace(HIDDEN, "'$&").replace(AFTER_SEPARATOR, "$&'");
const HIDDEN = /^[\p{C}\p{Z}]+(?=[=+\-@＝＋－＠])/u;
const AFTER_SEPARATOR = /(?<=.)[;\t\r\n\u2028\u2029][\p{C}\p{Z}]*(?=[=+\-@＝＋－＠])/gsu;

/** Returns a cell without the apostrophes before formulas: `'+49 30 1234` in an exported file is `+49 30 1234`. */
export const unguarded = (cell: string): string =>
  cell.includes("'") ? cell.replace(GUARD, '').replace(GUARD_AFTER_SEPARATOR, '$1') : cell;
const GUARD = /^'(?=[\p{C}\p{Z}]*[=+\-@＝＋－＠])/u;
const GUARD_AFTER_SEPARATOR = /(?<=.)([;\t\r\n\u2028\u2029][\p{C}\p{Z}]*)'(?=[=+\-@＝＋－＠])/gsu;
