// Moves of opportunities between stages, shown before the server responds, with undo in the toast.
import { toast, useChange, type Args, type Row, t } from '@keelson/web';
import { useState } from 'react';
import { stageName } from './stage-name.tsx';

export const LIST = 'crm:GET /opportunities';
export type Opportunity = Row<typeof LIST>;
const MOVE = 'crm:PUT /opportunities/{id}';
type Wanted = Args<typeof MOVE>['body'] & { readonly stage: string };

/** Moved cards; an error moves a card back. */
export type Moves = ReadonlyMap<number, Opportunity>;

export function useMoves() {
  const [moved, setMoved] = useState<Moves>(new Map());
  const change = useChange(MOVE, { touches: ['/opportunities', '/crm/pipeline.php', '/crm/dashboard.php'] });
  const forget = (id: number) => setMoved((now) => new Map([...now].filter(([each]) => each !== id)));
  const put = (row: Opportunity, body: Wanted, done?: () => void) => {
    const { opportunity_id: id } = row;
    setMoved((now) => new Map(now).set(id, { ...row, stage: body.stage }));
    // Settled once the columns have been refetched.
    change.mutate({ id, body }, { onSettled: () => forget(id), ...(done && { onSuccess: done }) });
  };
  const move = (row: Opportunity, body: Wanted) => {
    const { stage, status, probability, lost_reason } = row;
    // A probability set by hand would otherwise be replaced by the stage's default.
    const undo = () =>
      put({ ...row, stage: body.stage }, { stage, lost_reason, ...(status === 'open' && { probability }) });
    put(row, body, () => toast(`${stageName(body.stage)}: ${row.name}`, { act: { title: t('Undo'), run: undo } }));
  };
  return { moved, move };
}
