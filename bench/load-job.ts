// What the load generator is asked, and what it answers.

export interface Request {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** As many requests as go through `connections`, for some seconds; each connection takes the requests in turn. */
export interface LoadJob {
  readonly kind: 'load';
  readonly port: number;
  readonly requests: readonly Request[];
  readonly connections: number;
  readonly seconds: number;
}

/** One request after the other, `times` round all of them. */
export interface SampleJob {
  readonly kind: 'sample';
  readonly targets: readonly (Request & { readonly port: number })[];
  readonly times: number;
}

export interface Load {
  readonly requests: number;
  readonly seconds: number;
  readonly p50: number;
}

/** Per target. */
export interface Sample {
  readonly p50: number;
  /** Of the last answer. */
  readonly body: string;
}
