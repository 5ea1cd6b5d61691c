// Asking a person to prove again who they are, from anywhere; prove-dialog.tsx shows the question.

type Asked = (proved: boolean) => void;

let asked: Asked | undefined;
const listeners = new Set<() => void>();
const set = (next: Asked | undefined) => {
  asked = next;
  for (const each of listeners) each();
};

/** Resolves when they have, or do not want to. */
export function prove(): Promise<boolean> {
  asked?.(false);
  return new Promise((resolve) => set(resolve));
}

/** The question that waits for its answer. */
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
