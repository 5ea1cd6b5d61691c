// A ticket's escalation that has not been acknowledged.
import { firstRows, moment, Note, Time, useChange, useMay, usePages, type Data, t } from '@keelson/web';

type Ticket = Data<'GET /tickets.php?id={id}'>;

export default function EscalationPanel({ ticket: { ticket_id } }: { ticket: Ticket }) {
  const [escalation] = firstRows(usePages('GET /teams/escalations.php', { ticket_id, open: true }), 1);
  const writes = useMay()('tickets:write');
  const acknowledge = useChange('POST /teams/escalations.php?action=acknowledge&id={id}', {
    touches: ['/teams/escalations.php', '/tickets.php'],
  });
  if (!escalation) return null;
  const { escalation_id: id, started_at, next_at, team_name } = escalation;
  const act = { title: t('Acknowledge'), run: () => acknowledge.mutate({ id }) };
  return (
    <Note
      icon="alert"
      tone="warn"
      title={t('Escalated in team {team_name}', { team_name })}
      act={writes ? act : undefined}
    >
      <Time at={started_at} />
      {next_at && t(' · Next step {next_at}', { next_at: moment(next_at) })}
    </Note>
  );
}
