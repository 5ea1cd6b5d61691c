// The signed-in person and their permissions, loaded once at start.
import { createContext, use, useEffect, useMemo, type ReactNode } from 'react';
import { addressWith } from '../address.ts';
import type { IconName } from '../components/icons.ts';
import { Failed } from '../components/parts.tsx';
import { useAnswer } from '../request/client.ts';
import { place } from './place.ts';
import { translated } from './translated.ts';
import { speak } from './words.ts';

export interface Person {
  readonly id: number;
  readonly name: string;
  readonly email: string;
  readonly role: string;
  readonly company?: string;
}

/** Browser module of a plugin. */
export interface PieceOf {
  readonly plugin: string;
  readonly module: string;
  readonly style?: string | null;
}

export interface Nav {
  readonly section: string;
  readonly icon: IconName;
  readonly order: number;
  readonly key?: string | null;
  readonly count?: { readonly operation: string; readonly member: string; readonly type: string } | null;
}

export interface PageEntry extends PieceOf {
  readonly path: string;
  readonly title: string;
  readonly nav?: Nav | null;
  /** Also shows the list as a tab of the company page. */
  readonly company_tab?: { readonly order: number; readonly list: string } | null;
}

export interface PanelEntry extends PieceOf {
  readonly slot: string;
  readonly title: string;
  /** The English title, for addresses that are the same in every language. */
  readonly name: string;
  readonly order: number;
  readonly total?: { readonly list: string; readonly where?: Readonly<Record<string, string>> };
}

export interface ColumnEntry extends PieceOf {
  readonly list: string;
  readonly title: string;
  readonly values: string;
  /** Hidden while none of the loaded rows has a value. */
  readonly optional: boolean;
  readonly sort?: string;
}

export interface CommandEntry extends PieceOf {
  readonly id: string;
  readonly title: string;
  readonly on: string;
  readonly key?: string | null;
}

export interface RecordEntry {
  readonly type: string;
  readonly title: string;
  readonly path: string;
  readonly icon: IconName;
  readonly read: string;
  readonly find?: string | null;
  /** Name of the array of hits in the universal search response. */
  readonly search?: string | null;
  readonly name: string;
  readonly id: string;
}

export interface Session {
  readonly person: Person;
  /** Amounts use its currency. */
  readonly tenant: { readonly name: string; readonly currency: string };
  /** The language of the person, their company or the provider; null for the browser's. */
  readonly language: string | null;
  readonly permissions: readonly string[];
  readonly pages: readonly PageEntry[];
  readonly panels: readonly PanelEntry[];
  readonly columns: readonly ColumnEntry[];
  readonly commands: readonly CommandEntry[];
  readonly records: readonly RecordEntry[];
  /** Paths of the answers that a change outdates, by the type of the change. */
  readonly live: Readonly<Partial<Record<string, readonly string[]>>>;
}

const Current = createContext<Session | undefined>(undefined);

/** Loads the session. Renders `waiting` until loaded, or the error. */
export function SessionProvider({ waiting, children }: { waiting: ReactNode; children: ReactNode }) {
  const { data, error, refetch } = useAnswer(place.start);
  const session = useMemo(() => (data ? sessionOf(data) : undefined), [data]);
  const chosen = session?.language;
  useEffect(() => {
    if (chosen !== undefined) speak(chosen);
  }, [chosen]);
  if (session) return <Current value={session}>{children}</Current>;
  return error ? <Failed error={error} retry={() => void refetch()} /> : waiting;
}

interface Employee extends Omit<Person, 'id' | 'company'> {
  readonly employee_number: number;
  readonly company: { readonly name: string };
}

/** Normalises the session response; on the customer surface, the person is a company's employee. */
function sessionOf(answer: unknown): Session {
  const session = withTitles(answer as Session);
  if (!('employee_number' in session.person)) return session;
  const { employee_number: id, company, ...person } = session.person as unknown as Employee;
  return { ...session, person: { ...person, id, company: company.name } };
}

/** Translates the titles of pages and their parts. */
function withTitles({ pages, panels, columns, commands, records, ...session }: Session): Session {
  const named = panels.map((each) => ({ ...each, name: each.title }));
  return { ...session, ...translated({ pages, panels: named, columns, commands, records }) };
}

/** Returns the session. */
export function useSession(): Session {
  const session = use(Current);
  if (!session) throw new Error('No session');
  return session;
}

/** Returns a permission check that hides unavailable actions. The server enforces permissions. */
export function useMay(): (permission: string) => boolean {
  const { permissions } = useSession();
  return (permission) => permissions.includes(permission);
}

/** Returns a function for record URLs: `useRecordLink()('ticket', 7)`; undefined if the person has no page for it. */
export function useRecordLink(): (type: string, id: string | number) => string | undefined {
  const { records } = useSession();
  return (type, id) => {
    const found = records.find((each) => each.type === type);
    return found && addressWith(found.path, id);
  };
}
