// What the browser remembers. Storage may be off, full or forbidden: then every visit is the first one.

const VISITOR = 'chat-widget-visitor';
const COLOR = 'chat-widget-color';
const CLOSED = 'chat-widget-closed';

export const memory = {
  visitor: () => read(() => localStorage, VISITOR),
  rememberVisitor: (id: string) => write(() => localStorage, VISITOR, id),
  color: () => read(() => localStorage, COLOR),
  rememberColor: (color: string) => write(() => localStorage, COLOR, color),
  /** The visitor closed it in this tab: it does not open by itself again. */
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
    // Then not.
  }
}
