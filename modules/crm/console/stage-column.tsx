import { Failed, firstRows, Link, Menu, money, number, Time, usePages, words, type Row } from '@keelson/web';
import { useState, type DragEvent } from 'react';
import type { Moves } from './moves.tsx';

const LIST = 'crm:GET /opportunities';
export type Opportunity = Row<typeof LIST>;
const SHOWN = 50;
const KIND = 'application/x-opportunity';

interface StageColumnProps {
  readonly stage: string;
  readonly value: number;
  readonly currency: string;
  readonly stages: readonly string[];
  readonly moved: Moves;
  /** Absent for read-only users. */
  readonly onMove: ((row: Opportunity, stage: string) => void) | undefined;
}

/** A stage with its newest opportunities. */
export function StageColumn({ stage, value, currency, stages, moved, onMove }: StageColumnProps) {
  const list = usePages(LIST, { stage });
  const [over, setOver] = useState(false);
  const arrived = [...moved.values()].filter((each) => each.stage === stage);
  const stayed = firstRows(list, SHOWN).filter((each) => !moved.has(each.opportunity_id));
  const accepts = (event: DragEvent) => onMove && event.dataTransfer.types.includes(KIND);
  const drop = (event: DragEvent) => {
    setOver(false);
    if (!accepts(event)) return;
    event.preventDefault();
    onMove?.(JSON.parse(event.dataTransfer.getData(KIND)) as Opportunity, stage);
  };
  return (
    <section
      className="stage"
      aria-label={words(stage)}
      data-over={over || undefined}
      onDragOver={(event) => {
        if (!accepts(event)) return;
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
    >
      <header>
        <h2>{words(stage)}</h2>
        <span className="tone-muted">{number(list.total)}</span>
        {value > 0 && <span className="stage-value">{money(value, currency)}</span>}
      </header>
      {list.error && <Failed error={list.error} retry={list.retry} />}
      <ul>
        {[...arrived, ...stayed].map((each) => (
          <OpportunityCard key={each.opportunity_id} row={each} stages={stages} onMove={onMove} />
        ))}
      </ul>
      {list.total > SHOWN && (
        <Link href={`/opportunities?stage=${encodeURIComponent(stage)}`}>All {number(list.total)}</Link>
      )}
    </section>
  );
}

interface CardProps extends Pick<StageColumnProps, 'stages' | 'onMove'> {
  readonly row: Opportunity;
}

function OpportunityCard({ row, stages, onMove }: CardProps) {
  const { opportunity_id, name, prospect_name, value, currency, expected_close_date } = row;
  const choices = stages.filter((each) => each !== row.stage).map((each) => ({ value: each, label: words(each) }));
  return (
    <li
      className="opportunity"
      draggable={onMove !== undefined}
      onDragStart={(event) => {
        event.dataTransfer.effectAllowed = 'move';
        event.dataTransfer.setData(KIND, JSON.stringify(row));
      }}
    >
      <Link href={`/opportunities/${opportunity_id}`} draggable={false}>
        {name}
      </Link>
      {prospect_name && <span className="tone-muted">{prospect_name}</span>}
      <span className="opportunity-foot">
        <b>{money(value, currency)}</b>
        {expected_close_date && (
          <span className="tone-muted">
            <Time at={expected_close_date} />
          </span>
        )}
        {onMove && (
          <Menu
            label={`Move ${name}`}
            className="button quiet small"
            choices={choices}
            onChoose={(stage) => onMove(row, stage)}
          >
            Move
          </Menu>
        )}
      </span>
    </li>
  );
}
