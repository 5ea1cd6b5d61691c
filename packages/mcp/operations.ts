// An installation's operations, as described by its OpenAPI document.

/** An operation of the administrative interface. */
export interface Operation {
  readonly id: string;
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** Relative to the root of the interface, with `{id}` for parameters. */
  readonly path: string;
  readonly title: string;
  readonly parameters: readonly Parameter[];
  /** JSON Schema of the body, if there is one. */
  readonly body: unknown;
}

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query';
  readonly required: boolean;
  readonly schema: unknown;
}

/** How long a list of operations is used before it is revalidated, in milliseconds. */
const FRESH_MS = 60_000;
const SECONDS = 60;

/**
 * Returns a function that returns the operations of the document at this address. Once a minute, it asks whether the
 * document has changed, as after an upgrade.
 */
export function operationsAt(
  address: string,
  now: () => number = () => performance.now(),
): (credential: string) => Promise<readonly Operation[]> {
  let known: { operations: readonly Operation[]; etag: string | null; at: number } | undefined;
  let reading: Promise<readonly Operation[]> | undefined;

  async function read(credential: string): Promise<readonly Operation[]> {
    const response = await fetch(address, {
      headers: { Authorization: `Bearer ${credential}`, ...(known?.etag && { 'If-None-Match': known.etag }) },
      signal: AbortSignal.timeout(SECONDS * 1000),
    });
    if (known && response.status === 304) known.at = now();
    else if (!response.ok) throw new Error(`${address} responded ${response.status}`);
    else known = { operations: operationsOf(await response.json()), etag: response.headers.get('ETag'), at: now() };
    return known.operations;
  }

  return async (credential) => {
    if (known && now() - known.at < FRESH_MS) return known.operations;
    reading ??= read(credential).finally(() => (reading = undefined));
    return reading.catch((error: unknown) => {
      // A call that the installation cannot answer now says so itself.
      if (!known) throw error;
      return known.operations;
    });
  };
}

/** Returns the operations of an OpenAPI document that take and return JSON. */
export function operationsOf(document: any): Operation[] {
  const paths: [string, Record<string, any>][] = Object.entries(document.paths);
  return paths.flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, each]) => {
      const content: Record<string, any> | undefined = each.requestBody?.content;
      if (!each.operationId || (content && !content['application/json'])) return [];
      const parameters = (each.parameters ?? []).filter((one: any) => one.in === 'path' || one.in === 'query');
      return [
        {
          id: each.operationId,
          method: method.toUpperCase() as Operation['method'],
          path,
          title: each.summary ?? '',
          parameters: parameters.map((one: any) => ({ ...one, required: one.required === true })),
          body: content?.['application/json'].schema,
        },
      ];
    }),
  );
}

/** Returns the operations whose id, title or path contains most of the words, best match first. */
export function findOperations(operations: readonly Operation[], words: string, limit: number): Operation[] {
  const wanted = words.toLowerCase().split(/\W+/).filter(Boolean).map(stem);
  const found = operations.map((operation) => {
    const text = `${operation.id.replace(/[A-Z]/g, ' $&')} ${operation.title} ${operation.path}`.toLowerCase();
    return { operation, hits: wanted.filter((word) => text.includes(word)).length };
  });
  return found
    .filter(({ hits }) => hits > 0)
    .toSorted((a, b) => b.hits - a.hits || a.operation.path.length - b.operation.path.length)
    .slice(0, limit)
    .map(({ operation }) => operation);
}

/** Singularises words, so that "invoices" finds "invoice" and "companies" finds "company". */
const stem = (word: string) => word.replace(/ies$/, '').replace(/s$/, '').slice(0, 12);

/**
 * Returns the URL of a call, relative to the root of the interface.
 * @throws Error naming a missing, unknown or invalid argument
 */
export function addressOf(operation: Operation, given: Readonly<Record<string, unknown>>): string {
  const unknown = Object.keys(given).find((name) => !operation.parameters.some((each) => each.name === name));
  if (unknown !== undefined) throw new Error(`${operation.id} has no argument ${unknown}`);
  const missing = operation.parameters.find(({ name, required }) => required && given[name] === undefined);
  if (missing) throw new Error(`${operation.id} needs the argument ${missing.name}`);
  const path = operation.path.replace(/\{(\w+)\}/g, (_, name: string) => partOf(name, String(given[name])));
  const query = operation.parameters.filter((each) => each.in === 'query' && given[each.name] !== undefined);
  const search = new URLSearchParams(query.map(({ name }) => [name, String(given[name])])).toString();
  return search ? `${path}?${search}` : path;
}

/** Part of a path. `..` would lead to another operation than the one that was shown. */
function partOf(name: string, value: string): string {
  if (/^\.{0,2}$/.test(value)) throw new Error(`The argument ${name} must be the id of a record`);
  return encodeURIComponent(value);
}
