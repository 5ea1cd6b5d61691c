import { useChange, type Args } from '@keelson/web';
import { useState } from 'react';
import type { Opportunity } from './stage-column.tsx';

const MOVE = 'crm:PUT /opportunities/{id}';
type Wanted = Args<typeof MOVE>['body'] & { readonly stage: string };

/** Optimistic moves, shown before the server responds; a refusal puts the card back. */
export type Moves = ReadonlyMap<number, Opportunity>;

export function useMoves() {
  const [moved, setMoved] = useState<Moves>(new Map());
  const change = useChange(MOVE, { touches: ['/opportunities', '/crm/pipeline.php', '/crm/dashboard.php'] });
  const forget = (id: number) => setMoved((now) => new Map([...now].filter(([each]) => each !== id)));
  const move = (row: Opportunity, body: Wanted) => {
    const { opportunity_id: id } = row;
    setMoved((now) => new Map(now).set(id, { ...row, stage: body.stage }));
    // Settled means that the columns were refetched.
    change.mutate({ id, body }, { onSettled: () => forget(id) });
  };
  return { moved, move };
}
