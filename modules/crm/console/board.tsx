// Board of opportunities by stage. Cards are dragged between columns, or moved with their menu.
import {
  Bones,
  Dialog,
  Failed,
  Form,
  LinkButton,
  money,
  number,
  Sheet,
  TextField,
  texts,
  toast,
  useItem,
  useMay,
  words,
} from '@keelson/web';
import { useState } from 'react';
import { LOST } from './look.tsx';
import { StageColumn, type Opportunity } from './stage-column.tsx';
import { useMoves } from './moves.tsx';

export default function Board() {
  const { data, error, refetch } = useItem('GET /crm/pipeline.php');
  const may = useMay()('opportunities:write');
  const [losing, setLosing] = useState<Opportunity>();
  const { moved, move } = useMoves();
  const drop = (row: Opportunity, stage: string) => {
    if (row.stage === stage) return;
    if (stage === LOST) setLosing(row);
    else move(row, { stage });
  };
  const lose = (given: FormData) => {
    if (losing) move(losing, { stage: LOST, lost_reason: texts(given, 'lost_reason').lost_reason || null });
    setLosing(undefined);
    toast('Marked as lost');
  };
  return (
    <Sheet
      title="Opportunity board"
      acts={
        <LinkButton to="/opportunities" icon="list">
          Table
        </LinkButton>
      }
    >
      {error ? (
        <Failed error={error} retry={() => void refetch()} />
      ) : data ? (
        <>
          <p className="tone-muted">
            {number(data.total_count)} open, {money(data.total_value, data.currency)}
          </p>
          <div className="board" tabIndex={0} role="region" aria-label="Stages">
            {data.stages.map((each) => (
              <StageColumn
                key={each.stage}
                {...each}
                stages={data.stages.map(({ stage }) => stage)}
                moved={moved}
                onMove={may ? drop : undefined}
              />
            ))}
          </div>
        </>
      ) : (
        <Bones rows={8} />
      )}
      <Dialog
        title={`${words(LOST)}: ${losing?.name ?? ''}`}
        open={losing !== undefined}
        onClose={() => setLosing(undefined)}
      >
        <Form submit="Mark as lost" onCancel={() => setLosing(undefined)} onSubmit={lose}>
          <TextField name="lost_reason" label="Why" lines={3} autoFocus />
        </Form>
      </Dialog>
    </Sheet>
  );
}
