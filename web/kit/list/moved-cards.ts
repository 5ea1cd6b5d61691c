import { useState } from 'react';

/** Cards shown in another column before the server has stored the move. */
export interface MovedCards<Card> {
  readonly moved: ReadonlyMap<number, Card>;
  /**
   * Shows a card as moved until `stored` settles, then calls `done` unless it failed. The columns must have been refetched
   * by then, and the error shown.
   */
  readonly show: (card: Card, stored: Promise<unknown>, done?: () => void) => void;
}

/** Keeps the cards of a board that have been moved, by id. */
export function useMovedCards<Card>(idOf: (card: Card) => number): MovedCards<Card> {
  const [moved, setMoved] = useState<ReadonlyMap<number, Card>>(new Map());
  const show: MovedCards<Card>['show'] = (card, stored, done) => {
    const id = idOf(card);
    setMoved((now) => new Map(now).set(id, card));
    // A card that has been moved again stays where it was moved last.
    const forget = () =>
      setMoved((now) => (now.get(id) === card ? new Map([...now].filter(([each]) => each !== id)) : now));
    stored.finally(forget).then(done, () => undefined);
  };
  return { moved, show };
}
