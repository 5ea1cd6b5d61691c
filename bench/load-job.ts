// Jobs for the load generator, and their results.

export interface Request {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/**
 * Sends as many requests as possible over `connections` for some seconds; each connection cycles through the requests.
 */
export interface LoadJob {
  readonly kind: 'load';
  readonly port: number;
  readonly requests: readonly Request[];
  readonly connections: number;
  readonly seconds: number;
}

/** Sends requests one at a time, cycling through all of them `times` times. */
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

/** Result for one target. */
export interface Sample {
  readonly p50: number;
  /** Body of the last response. */
  readonly body: string;
}
