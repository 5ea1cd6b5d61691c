// Ticket history: who changed what. Recent changes also appear in the conversation.
import { Bones, Explained, Failed, firstRows, moment, usePages } from '@keelson/web';
import { useEffect } from 'react';
import { Changes, READ } from './history.tsx';

export function History({ id }: { id: number }) {
  const list = usePages(READ, { id });
  const { total, need, error, retry, loading } = list;
  useEffect(() => need(0, total - 1), [need, total]);
  if (error) return <Failed error={error} retry={retry} />;
  if (loading) return <Bones />;
  return (
    <ol className="history">
      {firstRows(list, total).map((each) => (
        <li key={each.log_id}>
          <time className="tone-muted">{moment(each.created_at)}</time>
          <b>{each.user}</b>
          <div>
            <Explained text={each.description} />
            {each.action === 'update' && <Changes changes={each.changes} />}
          </div>
        </li>
      ))}
    </ol>
  );
}
