// What the comparison needs to know of a product.

/** One HTTP request, and what its response must have for the product to have done its work. */
export interface Step {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Expected status; defaults to 200. */
  readonly status?: number;
  /** Text that the body, or the address that it redirects to, contains. */
  readonly contains: string;
}

/** The tasks that are compared, in the order in which they run: creating comes last because it adds tickets. */
export const tasks = {
  list: 'list of the newest open tickets',
  deep: 'closed tickets from row 50,000',
  search: 'search for a word of 100 tickets',
  queue: 'queue page with its data',
  home: 'page after signing in',
  create: 'create a ticket',
} as const;
export type Task = keyof typeof tasks;

/** Returns the requests of the nth operation of a connection, which are sent one after the other. */
export type Operation = (connection: number, n: number) => readonly Step[];

export interface Product {
  readonly name: string;
  readonly port: number;
  readonly operations: Readonly<Record<Task, Operation>>;
  /** Returns the processes that serve it, without the database. */
  pids(): readonly number[];
  stop(): Promise<void>;
}

export interface Setting {
  /** Folder that holds the installed products, each in the folder of its name. */
  readonly folder: string;
  readonly databasePort: number;
  /** Number of concurrent connections, each with its own session where a product locks sessions. */
  readonly connections: number;
}

/** Password of the first account in every product. */
export const PASSWORD = 'bench-Password-1';
/** Address of the first account in every product. */
export const EMAIL = 'ada@provider.example';
/** Word that the fillings write into 100 subjects. */
export const WORD = 'zirconium';
/** What a created ticket says: about 440 characters. */
export const TEXT = 'It began on Monday morning and happens to everybody on the second floor. '.repeat(6);
export const SUBJECT = 'Printer does not start';

/** Returns the company of the nth created ticket, 1 to 100; its first person is ten times as far. */
export const companyOf = (connection: number, n: number): number => 1 + ((connection * 13 + n) % 100);
