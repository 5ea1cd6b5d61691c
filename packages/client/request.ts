// The HTTP request of an operation, from its line in the API reference and its arguments.

/** The arguments of an operation: parameters by name, and `body`. */
export type Arguments = Readonly<Record<string, unknown>>;

/** A request without the address of the interface and its credential. */
export interface OperationRequest {
  readonly method: string;
  /** Below the root of the interface, with the query. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | FormData | null;
}

/**
 * Returns the request of an operation. A POST carries an idempotency key, so that the server executes it once however
 * often it is sent.
 * @throws TypeError if a parameter of the path is missing
 */
export function requestOf(
  operation: string,
  { body, ...given }: Arguments = {},
  idempotencyKey: string = crypto.randomUUID(),
): OperationRequest {
  const { method, path } = addressOf(operation, given);
  const json = body !== undefined && !(body instanceof FormData);
  return {
    method,
    path,
    headers: {
      ...(method === 'POST' && { 'Idempotency-Key': idempotencyKey }),
      ...(json && { 'Content-Type': 'application/json' }),
    },
    body: json ? JSON.stringify(body) : ((body as FormData | undefined) ?? null),
  };
}

/**
 * Returns the method and path of an operation. Arguments that are not in its line become query parameters.
 * @throws TypeError if a parameter of the path is missing
 */
export function addressOf(operation: string, given: Arguments = {}): Pick<OperationRequest, 'method' | 'path'> {
  const [method = 'GET', line = ''] = operation.replace(/^crm:/, '').split(' ');
  const left = new Map(Object.entries(given).filter(([, value]) => value !== undefined && value !== ''));
  const path = line.replace(/\{(\w+)\}/g, (_, name: string) => {
    if (!left.has(name)) throw new TypeError(`${operation} needs ${name}`);
    const value = encodeURIComponent(String(left.get(name)));
    left.delete(name);
    return value;
  });
  const query = new URLSearchParams([...left].map(([name, value]) => [name, String(value)])).toString();
  return { method, path: path + (query && (path.includes('?') ? '&' : '?') + query) };
}
