// A path as the documents write it, taken apart: '/tickets.php?action=comments&id={id}'.

type Name<S extends string> = S extends `${infer N}:text` ? { [K in N]: string } : { [K in S]: number };
/** `'/tickets.php?action=comments&id={id}'` → `{ id: number }`; `'/managers/{code:text}'` → `{ code: string }`. */
export type Params<P extends string> = P extends `${string}{${infer N}}${infer Rest}`
  ? Name<N> & Params<Rest>
  : unknown;

export interface Parameter {
  /** The handler's name for it. */
  readonly name: string;
  /** The query parameter's name, where it is one. */
  readonly key: string;
  readonly from: 'path' | 'query';
  readonly text: boolean;
}

export interface Template {
  /** Segments of the path; a parameter stands as null. */
  readonly segments: readonly (string | null)[];
  /** Literal query parameters that choose this route among those of the same path: `{ action: 'comments' }`. */
  readonly select: Readonly<Record<string, string>>;
  readonly params: readonly Parameter[];
}

/** Takes a path template apart. Integers are the rule; `{name:text}` takes any text. */
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

/** The template as the operation catalogue writes it, without our type suffix. */
export function plainPath(path: string): string {
  return path.replaceAll(':text}', '}');
}

function parameter(inner: string, from: 'path' | 'query', key: string): Parameter {
  const [name = '', kind] = inner.split(':');
  return { name, key: key || name, from, text: kind === 'text' };
}
