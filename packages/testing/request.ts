// Sends test requests over HTTP.
/** The application's response. */
export interface TestAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** Parsed JSON, or the text of other types. Undefined without a body. */
  readonly body: any;
  readonly text: string;
}

/** The parts of a request besides method and path. */
export interface TestRequest {
  /** Sent as JSON. A string or Buffer is sent as is. */
  readonly body?: unknown;
  /** A bearer token or vsa_ key. */
  readonly token?: string;
  /** A CRM key. */
  readonly key?: string;
  /** `name=value` */
  readonly cookie?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Sends a request and reads the whole response. */
export async function send(url: string, method: string, request: TestRequest): Promise<TestAnswer> {
  const headers: Record<string, string> = { ...request.headers };
  if (request.token !== undefined) headers['Authorization'] = `Bearer ${request.token}`;
  if (request.key !== undefined) headers['X-API-Key'] = request.key;
  if (request.cookie !== undefined) headers['Cookie'] = request.cookie;
  const raw = typeof request.body === 'string' || Buffer.isBuffer(request.body);
  if (request.body !== undefined && !raw) headers['Content-Type'] ??= 'application/json';
  const body = request.body === undefined ? null : raw ? (request.body as string) : JSON.stringify(request.body);
  const response = await fetch(url, { method, headers, body, redirect: 'manual' });
  // An event stream has no end.
  const endless = response.headers.get('content-type')?.startsWith('text/event-stream') === true;
  if (endless) await response.body?.cancel();
  const text = endless ? '' : await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
  return {
    status: response.status,
    headers: response.headers,
    text,
    body: text === '' ? undefined : isJson ? JSON.parse(text) : text,
  };
}
