// Functions that build an object literal, compiled once because they run for every row of every list.

/** A property's key, and the JavaScript expression for its value. */
export type LiteralMember = readonly [key: string, expression: string];

/**
 * Compiles a function that returns `{ key: expression, … }` as one literal, which costs a tenth of assigning the keys one
 * by one. Expressions can use the function's parameters, the names in `scope`, and a scratch variable `value`. They must
 * come from declarations only, with keys quoted by JSON.stringify: nothing that a caller sends may get here.
 */
export function compileLiteral<F extends (...args: never[]) => unknown>(
  members: readonly LiteralMember[],
  parameters: string,
  scope: Readonly<Record<string, unknown>>,
): F {
  const text = members.map(([key, expression]) => `${JSON.stringify(key)}: ${expression}`).join(', ');
  const body = `return (${parameters}) => { let value; return { ${text} }; };`;
  // oxlint-disable-next-line typescript/no-implied-eval -- made only of keys of declared shapes, quoted as JSON
  return new Function(...Object.keys(scope), body)(...Object.values(scope)) as F;
}
