// Names a surface's record shapes, so that OpenAPI describes each once, however many operations return it.
import { z } from 'zod';
import type { Route } from '../plugin/route.ts';

/**
 * Returns shapes by name. View shapes take their noun's title. Shapes shared by several operations are named after
 * their path. The first use of a name gets it; later ones are numbered.
 */
export function namedShapes(routes: readonly Route[]): Record<string, z.ZodObject> {
  const uses = new Map<z.ZodObject, Route[]>();
  for (const route of routes) {
    const { shape } = route.returns;
    if (shape instanceof z.ZodObject) uses.set(shape, [...(uses.get(shape) ?? []), route]);
  }
  const titled = [...uses.keys()].flatMap((shape) => {
    const title = shape.meta()?.title;
    return title === undefined ? [] : [[inOneWord(title), shape] as const];
  });
  const others = [...uses].filter(([shape, users]) => users.length > 1 && shape.meta()?.title === undefined);
  const names = new Map<string, z.ZodObject>();
  for (const [name, shape] of titled) names.set(free(name, names), shape);
  for (const [shape, users] of others) {
    const name = nounOf(users);
    // `companies.php?id={id}` returns a `CompanyDetail`; `Company` is the row of its list.
    names.set(free(names.has(name) ? `${name}Detail` : name, names), shape);
  }
  return Object.fromEntries(names);
}

function nounOf([first]: readonly Route[]): string {
  const segments = first?.template.segments.filter((each) => each !== null) ?? [];
  return inOneWord(singular((segments.at(-1) ?? 'record').replace(/\.php$/, '')));
}

function free(name: string, taken: ReadonlyMap<string, unknown>): string {
  let candidate = name;
  for (let n = 2; taken.has(candidate); n++) candidate = name + n;
  return candidate;
}

const inOneWord = (words: string): string =>
  words
    .split(/[^A-Za-z0-9]+/)
    .map((each) => each.slice(0, 1).toUpperCase() + each.slice(1))
    .join('');

const singular = (word: string): string =>
  word.endsWith('ies') ? `${word.slice(0, -3)}y` : /[^s]s$/.test(word) ? word.slice(0, -1) : word;
