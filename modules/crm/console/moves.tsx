// Moves of opportunities between stages, shown before the server responds, with undo in the toast.
import { toast, useChange, useMovedCards, type Args, type Row, t } from '@keelson/web';
import { stageName } from './stage-name.tsx';

export const LIST = 'crm:GET /opportunities';
export type Opportunity = Row<typeof LIST>;
const MOVE = 'crm:PUT /opportunities/{id}';
type Wanted = Args<typeof MOVE>['body'] & { readonly stage: string };

/** Returns the moved cards, and a function that moves one. An error moves it back. */
export function useMoves() {
  const { moved, show } = useMovedCards<Opportunity>((each) => each.opportunity_id);
  const touches = ['/opportunities', '/crm/pipeline.php', '/crm/dashboard.php'];
  const change = useChange(MOVE, { touches, inOrder: true });
  const put = (row: Opportunity, body: Wanted, done?: () => void) =>
    show({ ...row, stage: body.stage }, change.mutateAsync({ id: row.opportunity_id, body }), done);
  const move = (row: Opportunity, body: Wanted) => {
    const { stage, status, probability, lost_reason } = row;
    // A probability set by hand would otherwise be replaced by the stage's default.
    const undo = () =>
      put({ ...row, stage: body.stage }, { stage, lost_reason, ...(status === 'open' && { probability }) });
    put(row, body, () => toast(`${stageName(body.stage)}: ${row.name}`, { act: { title: t('Undo'), run: undo } }));
  };
  return { moved, move };
}
