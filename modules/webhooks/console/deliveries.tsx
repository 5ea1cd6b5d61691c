import {
  Badge,
  Bones,
  Button,
  Card,
  Failed,
  Filter,
  SimpleTable,
  Time,
  toast,
  useChange,
  useItem,
  words,
  t,
} from '@keelson/web';
import type { Column, Row, Tone } from '@keelson/web';
import { useState } from 'react';

const LIST = 'GET /webhooks.php?action=deliveries&id={id}';
const REDELIVER = 'POST /webhooks.php?action=redeliver&id={id}&delivery_id={delivery_id}';
type Delivery = Row<typeof LIST>;
type State = Delivery['state'];
const SHOWN = 50;

const states: Readonly<Record<State, string>> = {
  waiting: t('Waiting'),
  delivered: t('Delivered'),
  failed: t('Failed'),
};
const tones: Readonly<Record<State, Tone>> = { waiting: 'info', delivered: 'ok', failed: 'danger' };

/** Delivery log, newest first, paginated. */
export function Deliveries({ webhook_id: id, may }: { webhook_id: number; may: boolean }) {
  const [state, setState] = useState<State>();
  const [before, setBefore] = useState<number>();
  const { data, error, refetch } = useItem(LIST, {
    ...{ id, limit: SHOWN },
    ...(state && { state }),
    ...(before !== undefined && { before }),
  });
  const again = useChange(REDELIVER, { touches: ['/webhooks.php'], done: () => toast(t('Delivery queued')) });
  const choose = (chosen: string) => {
    setState((chosen || undefined) as State | undefined);
    setBefore(undefined);
  };
  const columns: readonly Column<Delivery>[] = [
    { key: 'event', title: t('Event'), width: '', look: 'strong', cell: (each) => words(each.event) },
    {
      key: 'state',
      title: t('State'),
      width: '',
      cell: (each) => <Badge tone={tones[each.state]}>{states[each.state]}</Badge>,
    },
    { key: 'answer', title: t('Answer'), width: '', cell: (each) => <Answer delivery={each} /> },
    { key: 'attempts', title: t('Attempts'), width: '', look: 'right', cell: (each) => each.attempts },
    { key: 'at', title: t('When'), width: '', look: 'muted', cell: (each) => <Time at={each.created_at} /> },
    {
      key: 'acts',
      title: t('Acts'),
      untitled: true,
      width: '',
      look: 'right acts',
      cell: ({ delivery_id, event }) =>
        may && (
          <Button
            size="small"
            icon="repeat"
            onClick={() => again.mutate({ id, delivery_id })}
            disabled={again.isPending}
          >
            {t('Redeliver')} <span className="hidden">{words(event)}</span>
          </Button>
        ),
    },
  ];
  return (
    <Card
      title={t('Deliveries')}
      flush
      act={<Filter label={t('State')} value={state ?? ''} choices={states} onChoose={choose} />}
    >
      {error ? (
        <Failed error={error} retry={() => void refetch()} />
      ) : data ? (
        <SimpleTable label={t('Deliveries')} rows={data} columns={columns} empty={t('No deliveries yet.')} />
      ) : (
        <Bones />
      )}
      {data && (before !== undefined || data.length === SHOWN) && (
        <div className="actions older">
          {before !== undefined && <Button onClick={() => setBefore(undefined)}>{t('Newest')}</Button>}
          {data.length === SHOWN && <Button onClick={() => setBefore(data.at(-1)?.delivery_id)}>{t('Older')}</Button>}
        </div>
      )}
    </Card>
  );
}

/** Shows the error or the receiver's response. */
function Answer({ delivery: { response_status, response_body, error } }: { delivery: Delivery }) {
  if (response_status === null) return error ?? '–';
  return (
    <details>
      <summary>{error ? `${response_status}: ${error}` : response_status}</summary>
      <code>{response_body ?? ''}</code>
    </details>
  );
}
