// The log: one JSON object per line on standard output. Secrets are hidden (SEC-36): values by name at every depth, and
// anything that looks like a credential in the finished line.
import { pino, stdTimeFunctions, type DestinationStream, type Logger } from 'pino';

export type { Logger } from 'pino';

export interface LoggerOptions {
  readonly level: string;
  /** Where the lines go; standard output by default. */
  readonly destination?: DestinationStream;
}

/** Creates a logger that hides secrets, including in the lines of its children. */
export function createLogger({ level, destination }: LoggerOptions): Logger {
  const options = {
    level,
    base: { pid: process.pid },
    timestamp: stdTimeFunctions.isoTime,
    // hideFields has already described errors; pino's serializer would treat the description as an error.
    serializers: { err: (described: unknown) => described },
    formatters: { level: (label: string) => ({ level: label }), log: hideFields },
    hooks: { streamWrite: hideInText },
  };
  return pino(options, destination ?? standardOutput());
}

/**
 * Writes standard output in chunks of 4 KiB, or less after 250 ms: one write per line would cost more than the rest of
 * logging. The remainder is written on exit, unless the process is killed.
 */
function standardOutput(): DestinationStream {
  return pino.destination({ dest: 1, sync: false, minLength: 4096, periodicFlush: 250 });
}

export interface RequestLine {
  readonly request_id: string;
  readonly method: string;
  /** The declared route, never the requested path, which may contain a key or a name. */
  readonly route: string;
  readonly status: number;
  readonly ms: number;
  /** The kind of caller: `technician`, `employee`, `api`; undefined when not signed in. */
  readonly actor?: string | undefined;
  /** Why the server could not respond, when its state is to blame: "SQLite read for 60 ms". */
  readonly reason?: string | undefined;
}

/**
 * Creates the writer for request lines, which omit body, query and address. None of their fields come from the caller,
 * so only the finished line is searched for secrets.
 */
export function requestLog(log: Logger): (line: RequestLine) => void {
  const own = log.child({}, { formatters: { log: (fields) => fields } });
  return ({ request_id, method, route, status, ms, actor, reason }) => {
    const fields = { request_id, method, route, status, ms: Math.round(ms * 10) / 10, actor, reason };
    if (status >= 500) own.warn(fields, 'request');
    else own.info(fields, 'request');
  };
}

const HIDDEN = '[hidden]';
const DEPTH = 6;
const SECRET_NAME =
  /pass(?:word|wd|phrase)|pwd$|secret|token|api_?key|authorization|cookie|credential|(?:private|master|signing|encryption)_?key|signature|^otp$|^totp|recovery_?code/;

/**
 * Secrets in texts: named values, bearer and basic credentials, users in URLs, product keys, JWTs, and the values in
 * database errors. Repetitions are bounded, so that matching is never slow.
 */
const SECRET_TEXT: readonly (readonly [RegExp, string])[] = [
  // First a member of the line itself (a child's binding), then one of JSON inside a text.
  [
    /((?:password|passwd|secret|token|api_?-?key|authorization|cookie)[\w-]{0,40}":\s?")(?:[^"\\]|\\.)+/gi,
    `$1${HIDDEN}`,
  ],
  [
    /((?:password|passwd|secret|token|api_?-?key|authorization|cookie)[\w-]{0,40}\\":\s?\\")(?:[^"\\]|\\\\\\.|\\[^"])+/gi,
    `$1${HIDDEN}`,
  ],
  [/((?:password|passwd|secret|token|api_?-?key|code)[\w-]{0,40}=)[^&\s"'\\;,]+/gi, `$1${HIDDEN}`],
  [/\b(bearer|basic) [\w.~+/=-]{6,}/gi, `$1 ${HIDDEN}`],
  [/(:\/\/[^\s/"@:]{0,200}:)[^\s/"@]{1,500}(?=@)/g, `$1${HIDDEN}`],
  [/\b(vsa_|crm_|pk_live_|pk_test_|whsec_)[A-Za-z0-9+/=]{8,}/g, `$1${HIDDEN}`],
  [/\beyJ[\w-]{8,500}\.[\w-]{1,4000}\.[\w-]*/g, HIDDEN],
  [/((?:entry|value:?|value is) ')[^'\n]*(?=' for (?:key|column))/gi, `$1${HIDDEN}`],
];

/** Every pattern needs one of these; most lines have none, and one test saves eight. */
const SUSPICIOUS =
  /pass|secret|token|api_?-?key|auth|cookie|code|bearer|basic|:\/\/|(?:vsa|crm|pk_live|pk_test|whsec)_|eyJ|entry|value/i;

function hideInText(line: string): string {
  if (!SUSPICIOUS.test(line)) return line;
  let safe = line;
  for (const [pattern, replacement] of SECRET_TEXT) safe = safe.replace(pattern, replacement);
  return safe;
}

function hideFields(fields: Record<string, unknown>): Record<string, unknown> {
  return hideMembers(fields, 0);
}

function hideMembers(value: object, depth: number): Record<string, unknown> {
  // Names may come from callers: on a plain object, assigning `__proto__` would drop the member from the line.
  const safe: Record<string, unknown> = Object.create(null);
  for (const [name, member] of Object.entries(value)) safe[name] = hideMember(name, member, depth);
  return safe;
}

function hideMember(name: string, value: unknown, depth: number): unknown {
  if (value === null || value === undefined || typeof value === 'boolean') return value;
  if (
    SECRET_NAME.test(
      name
        .replaceAll(/(?<=[a-z])(?=[A-Z])/g, '_')
        .replaceAll('-', '_')
        .toLowerCase(),
    )
  )
    return HIDDEN;
  return hideValue(value, depth);
}

function hideValue(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Error) return describeError(value, depth);
  if (depth >= DEPTH) return '[deep]';
  if (Array.isArray(value)) return value.map((one: unknown) => hideValue(one, depth + 1));
  if (value instanceof Date) return value;
  if (ArrayBuffer.isView(value)) return `[${value.byteLength} bytes]`;
  return hideMembers(value, depth + 1);
}

/** Returns the loggable parts of an error: drivers attach the statement with its values, HTTP clients the request. */
function describeError(error: Error, depth: number): Record<string, unknown> {
  const described: Record<string, unknown> = { type: error.name, message: error.message, stack: error.stack };
  if ('code' in error) described['code'] = error.code;
  if (error.cause instanceof Error && depth < DEPTH) described['cause'] = describeError(error.cause, depth + 1);
  return described;
}
