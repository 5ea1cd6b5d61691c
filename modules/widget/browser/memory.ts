// What the browser remembers. Storage may be off, full or blocked: then every visit is like the first.

const VISITOR = 'chat-widget-visitor';
const COLOR = 'chat-widget-color';
const CLOSED = 'chat-widget-closed';

export const memory = {
  visitor: () => read(() => localStorage, VISITOR),
  rememberVisitor: (id: string) => write(() => localStorage, VISITOR, id),
  color: () => read(() => localStorage, COLOR),
  rememberColor: (color: string) => write(() => localStorage, COLOR, color),
  /** Closed by the visitor in this tab: it does not open by itself again. */
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
    // Remembering is optional.
  }
}
