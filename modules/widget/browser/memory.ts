// Browser storage. If it is disabled, full or blocked, every visit counts as the first.

const VISITOR = 'chat-widget-visitor';
const COLOR = 'chat-widget-color';
const CLOSED = 'chat-widget-closed';

export const memory = {
  visitor: () => read(() => localStorage, VISITOR),
  rememberVisitor: (id: string) => write(() => localStorage, VISITOR, id),
  color: () => read(() => localStorage, COLOR),
  rememberColor: (color: string) => write(() => localStorage, COLOR, color),
  /** The visitor closed the chat in this tab, so it does not open automatically again. */
  wasClosed: () => read(() => sessionStorage, CLOSED) !== undefined,
  rememberClosed: () => write(() => sessionStorage, CLOSED, '1'),
};

function read(storage: () => Storage, name: string): string | undefined {
  try {
    return storage().getItem(name) ?? undefined;
  } catch {
    return undefined;
  }
}

function write(storage: () => Storage, name: string, value: string): void {
  try {
    storage().setItem(name, value);
  } catch {
    // Storage is optional.
  }
}
