// The application log in tests: nothing is printed, but an unexpected error fails the test.
import { createLogger, type Logger } from '../log/log.ts';

export interface TestLog {
  readonly logger: Logger;
  /** Allows errors whose line matches. */
  expect(pattern: RegExp): void;
  /** @throws when an unexpected error was logged */
  check(): void;
  /** Returns the latest lines of a request, as JSON. */
  linesOf(requestId: string): string[];
}

/** Lines kept for the report of a failing test. */
const KEPT = 500;

/** Creates a log that records its lines and errors. */
export function createTestLog(): TestLog {
  const lines: string[] = [];
  const errors: string[] = [];
  const expected: RegExp[] = [];
  const write = (line: string) => {
    if (/"level":"(?:error|fatal)"/.test(line)) errors.push(line);
    if (lines.push(line) > 2 * KEPT) lines.splice(0, KEPT);
  };
  return {
    logger: createLogger({ level: 'info', destination: { write } }),
    expect: (pattern) => void expected.push(pattern),
    check() {
      const unexpected = errors.filter((line) => !expected.some((pattern) => pattern.test(line)));
      if (unexpected.length === 0) return;
      const shown = unexpected.slice(0, 3).map((line) => line.trimEnd().replaceAll('\\n', '\n'));
      throw new Error(`The application logged ${unexpected.length} unexpected errors:\n${shown.join('\n')}`);
    },
    linesOf: (requestId) => lines.filter((line) => line.includes(`"request_id":"${requestId}"`)),
  };
}
