// Object literals that run for every row of every list, compiled once.

/** The key of a member, and the expression for its value. */
export type LiteralMember = readonly [key: string, expression: string];

/**
 * A function that answers `{ key: expression, … }` as a program would write it by hand: it costs a tenth of storing one
 * key after the other. Expressions see the function's parameters, what `given` names, and a variable `value`. They must
 * come from declarations alone, with keys quoted by JSON.stringify: nothing a caller sends may get here.
 */
export function compileLiteral<F extends (...args: never[]) => unknown>(
  members: readonly LiteralMember[],
  parameters: string,
  given: Readonly<Record<string, unknown>>,
): F {
  const text = members.map(([key, expression]) => `${JSON.stringify(key)}: ${expression}`).join(', ');
  const body = `return (${parameters}) => { let value; return { ${text} }; };`;
  // oxlint-disable-next-line typescript/no-implied-eval -- what it is made of are keys of declared shapes, quoted as JSON
  return new Function(...Object.keys(given), body)(...Object.values(given)) as F;
}
