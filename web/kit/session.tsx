// Who is here and what they may see, asked once at the start.
import { createContext, use, useMemo, type ReactNode } from 'react';
import { addressWith } from './address.ts';
import { useAnswer } from './client.ts';
import type { IconName } from './icons.ts';
import { Failed } from './parts.tsx';
import { place } from './place.ts';

export interface Person {
  readonly id: number;
  readonly name: string;
  readonly email: string;
  readonly role: string;
  readonly company?: string;
}

/** A module of the browser's that belongs to a plugin. */
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
  /** A list that is a tab of the company's page, too. */
  readonly company_tab?: { readonly order: number; readonly list: string } | null;
}

export interface PanelEntry extends PieceOf {
  readonly slot: string;
  readonly title: string;
  readonly order: number;
}

export interface ColumnEntry extends PieceOf {
  readonly list: string;
  readonly title: string;
  readonly values: string;
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
  /** The array of hits in the answer of the universal search. */
  readonly search?: string | null;
  readonly name: string;
  readonly id: string;
}

export interface Session {
  readonly person: Person;
  /** Amounts are in its currency. */
  readonly tenant: { readonly name: string; readonly currency: string };
  readonly permissions: readonly string[];
  readonly pages: readonly PageEntry[];
  readonly panels: readonly PanelEntry[];
  readonly columns: readonly ColumnEntry[];
  readonly commands: readonly CommandEntry[];
  readonly records: readonly RecordEntry[];
}

const Current = createContext<Session | undefined>(undefined);

/** Asks who is here; shows `waiting` until it is known, or why it cannot be known. */
export function SessionProvider({ waiting, children }: { waiting: ReactNode; children: ReactNode }) {
  const { data, error, refetch } = useAnswer(place.start);
  const session = useMemo(() => (data ? sessionOf(data) : undefined), [data]);
  if (session) return <Current value={session}>{children}</Current>;
  return error ? <Failed error={error} retry={() => void refetch()} /> : waiting;
}

interface Employee extends Omit<Person, 'id' | 'company'> {
  readonly employee_number: number;
  readonly company: { readonly name: string };
}

/** Both interfaces say who is here; on the customers' it is an employee of a company. */
function sessionOf(answer: unknown): Session {
  const session = answer as Session;
  if (!('employee_number' in session.person)) return session;
  const { employee_number: id, company, ...person } = session.person as unknown as Employee;
  return { ...session, person: { ...person, id, company: company.name } };
}

/** The person and everything declared for them. */
export function useSession(): Session {
  const session = use(Current);
  if (!session) throw new Error('There is no session here');
  return session;
}

/** Whether the person holds a permission; it hides what cannot be done. The server decides anyway. */
export function useMay(): (permission: string) => boolean {
  const { permissions } = useSession();
  return (permission) => permissions.includes(permission);
}

/** The address of a record: `useRecordLink()('ticket', 7)`; undefined where the person has no page for it. */
export function useRecordLink(): (type: string, id: string | number) => string | undefined {
  const { records } = useSession();
  return (type, id) => {
    const found = records.find((each) => each.type === type);
    return found && addressWith(found.path, id);
  };
}
