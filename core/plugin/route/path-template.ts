// Parses path templates in the specification's syntax: '/tickets.php?action=comments&id={id}'.

type Name<S extends string> = S extends `${infer N}:text` ? { [K in N]: string } : { [K in S]: number };
/**
 * A template's parameters: `'/tickets.php?id={id}'` has `{ id: number }`, `'/managers/{code:text}'` `{ code: string }`.
 */
export type Params<P extends string> = P extends `${string}{${infer N}}${infer Rest}`
  ? Name<N> & Params<Rest>
  : unknown;

export interface Parameter {
  /** Its name in the handler. */
  readonly name: string;
  /** The query parameter's name, if it is one. */
  readonly key: string;
  readonly from: 'path' | 'query';
  readonly text: boolean;
}

export interface Template {
  /** Path segments, null for a parameter. */
  readonly segments: readonly (string | null)[];
  /** Literal query parameters that select this route among those with the same path: `{ action: 'comments' }`. */
  readonly select: Readonly<Record<string, string>>;
  readonly params: readonly Parameter[];
}

/** Parses a path template. Parameters are integers, except `{name:text}`. */
export function parseTemplate(path: string): Template {
  const [file = '', search = ''] = path.split('?');
  const params: Parameter[] = [];
  const select: Record<string, string> = Object.create(null);
  const segments = file
    .slice(1)
    .split('/')
    .map((segment) => {
      const inner = /^\{(.+)\}$/.exec(segment)?.[1];
      if (inner === undefined) return segment;
      params.push(parameter(inner, 'path', ''));
      return null;
    });
  for (const [key, value] of new URLSearchParams(search)) {
    const inner = /^\{(.+)\}$/.exec(value)?.[1];
    if (inner === undefined) select[key] = value;
    else params.push(parameter(inner, 'query', key));
  }
  return { segments, select, params };
}

/** A step of a path after its `.php` file: a literal value of `key`, or the parameter with that name. */
export interface Step {
  readonly key: string;
  readonly value?: string;
}

/**
 * Returns what follows a `.php` file in the path form of an address, where record and action are in the path:
 * `/tickets.php?action=comments&id={id}` is `/tickets.php/{id}/comments`. Other parameters of the query follow
 * the action; without one they stay in the query.
 */
export function pathSteps({ segments, select, params }: Template): readonly Step[] {
  if (!segments.at(-1)?.endsWith('.php')) return [];
  const keys = params.filter(({ from }) => from === 'query').map(({ key }) => key);
  const [id, action] = [keys.filter((key) => key === 'id'), select['action']];
  const others = action === undefined ? [] : keys.filter((key) => key !== 'id');
  const asSteps = (some: readonly string[]) => some.map((key) => ({ key }));
  return [...asSteps(id), ...(action === undefined ? [] : [{ key: 'action', value: action }]), ...asSteps(others)];
}

/** Returns the path form of a template. */
export function pathForm(template: Template, path: string): string {
  const steps = pathSteps(template);
  return [plainPath(path).split('?')[0], ...steps.map(({ key, value }) => value ?? `{${key}}`)].join('/');
}

/** Returns the template without type suffixes, as the specification writes it. */
export function plainPath(path: string): string {
  return path.replaceAll(':text}', '}');
}

function parameter(inner: string, from: 'path' | 'query', key: string): Parameter {
  const [name = '', kind] = inner.split(':');
  return { name, key: key || name, from, text: kind === 'text' };
}
