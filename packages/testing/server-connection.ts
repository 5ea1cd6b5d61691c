// Connects to the database server of tests.
import { createConnection, type Connection, type ConnectionOptions } from 'mysql2/promise';

/** Milliseconds. While a process loads the product on a busy machine, it may miss the usual ten seconds. */
const PATIENCE_MS = 60_000;

/** Opens a connection of the test's own, past the product. The caller ends it. */
export const connectTo = (url: string, options: ConnectionOptions = {}): Promise<Connection> =>
  createConnection({ uri: url, connectTimeout: PATIENCE_MS, ...options });
