// Board of opportunities by stage.
import {
  Board,
  Bones,
  Dialog,
  Failed,
  Form,
  Link,
  LinkButton,
  money,
  number,
  Sheet,
  TextField,
  texts,
  Time,
  useFirstRows,
  useItem,
  useMay,
  words,
  type Data,
  rich,
  t,
} from '@keelson/web';
import { useState } from 'react';
import { LOST } from './look.tsx';
import { LIST, useMoves, type Opportunity } from './moves.tsx';
import { stageName } from './stage-name.tsx';

const SHOWN = 50;
const PIPELINE = 'GET /crm/pipeline.php';

export default function OpportunityBoard() {
  const { data, error, refetch } = useItem(PIPELINE);
  return (
    <Sheet
      title={t('Opportunity board')}
      acts={
        <LinkButton to="/opportunities" icon="list">
          {t('Table')}
        </LinkButton>
      }
    >
      {error ? (
        <Failed error={error} retry={() => void refetch()} />
      ) : data ? (
        <>
          <p className="tone-muted">
            {t('{total_count} open, {total_value}', {
              total_count: number(data.total_count),
              total_value: money(data.total_value, data.currency),
            })}
          </p>
          <Stages pipeline={data} />
        </>
      ) : (
        <Bones rows={8} />
      )}
    </Sheet>
  );
}

function Stages({ pipeline: { stages } }: { pipeline: Data<typeof PIPELINE> }) {
  const may = useMay()('opportunities:write');
  const lists = useFirstRows(
    LIST,
    stages.map(({ stage }) => ({ stage })),
  );
  const [losing, setLosing] = useState<Opportunity>();
  const { moved, move } = useMoves();
  const drop = (row: Opportunity, stage: string) => {
    if (stage === LOST) setLosing(row);
    else move(row, { stage });
  };
  const lose = (given: FormData) => {
    if (losing) move(losing, { stage: LOST, lost_reason: texts(given, 'lost_reason').lost_reason || null });
    setLosing(undefined);
  };
  return (
    <>
      <Board
        label={t('Stages')}
        id={(each) => each.opportunity_id}
        name={(each) => each.name}
        card={(each) => <Card row={each} />}
        onMove={may ? drop : undefined}
        columns={stages.map(({ stage, value, currency }, index) => {
          const list = lists[index];
          const rows = list?.rows ?? [];
          const arrived = [...moved.values()].filter((each) => each.stage === stage);
          const left = rows.filter((each) => moved.has(each.opportunity_id));
          // A moved card counts in its new column before the sums are fetched again.
          const sum = arrived.reduce(
            (total, each) => total + each.value,
            value - left.reduce((t, e) => t + e.value, 0),
          );
          return {
            id: stage,
            title: stageName(stage),
            cards: [...arrived, ...rows.filter((each) => !moved.has(each.opportunity_id)).slice(0, SHOWN)],
            sum: (
              <>
                <span className="tone-muted">{number((list?.total ?? 0) + arrived.length - left.length)}</span>
                {sum > 0 && <span className="stage-value">{money(sum, currency)}</span>}
              </>
            ),
            foot: list?.error ? (
              <Failed error={list.error} retry={list.retry} />
            ) : list && list.total > SHOWN ? (
              <Link href={`/opportunities?stage=${encodeURIComponent(stage)}`}>
                {t('All {total}', { total: number(list.total) })}
              </Link>
            ) : null,
          };
        })}
      />
      <Dialog
        title={`${words(LOST)}: ${losing?.name ?? ''}`}
        open={losing !== undefined}
        onClose={() => setLosing(undefined)}
      >
        <Form submit={t('Mark as lost')} onCancel={() => setLosing(undefined)} onSubmit={lose}>
          <TextField name="lost_reason" label={t('Reason')} lines={3} autoFocus />
        </Form>
      </Dialog>
    </>
  );
}

function Card({
  row: { opportunity_id, name, prospect_name, value, currency, expected_close_date },
}: {
  row: Opportunity;
}) {
  return (
    <>
      <Link href={`/opportunities/${opportunity_id}`} draggable={false}>
        {name}
      </Link>
      {prospect_name && <span className="tone-muted">{prospect_name}</span>}
      <b>{money(value, currency)}</b>
      {expected_close_date && (
        <span className="tone-muted">{rich('closes {time}', { time: <Time at={expected_close_date} /> })}</span>
      )}
    </>
  );
}
