// Re-authentication requests from anywhere; prove-dialog.tsx shows the dialog.

type Asked = (proved: boolean) => void;

let asked: Asked | undefined;
const listeners = new Set<() => void>();
const set = (next: Asked | undefined) => {
  asked = next;
  for (const each of listeners) each();
};

/** Requests re-authentication. Resolves to false if cancelled. */
export function prove(): Promise<boolean> {
  asked?.(false);
  return new Promise((resolve) => set(resolve));
}

/** Returns the pending request. */
export const askedToProve = (): Asked | undefined => asked;

export function answerProof(proved: boolean): void {
  const answer = asked;
  set(undefined);
  answer?.(proved);
}

export function subscribeProof(listener: () => void): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
