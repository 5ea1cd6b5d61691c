// Ticket history: who changed what. Recent changes also appear in the conversation.
import { Bones, Explained, Failed, moment, useAllRows } from '@keelson/web';
import { Changes, READ } from './history.tsx';

export function History({ id }: { id: number }) {
  const { rows, error, retry, loading } = useAllRows(READ, { id });
  if (error) return <Failed error={error} retry={retry} />;
  if (loading) return <Bones />;
  return (
    <ol className="history">
      {rows.map((each) => (
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
