// Page of all pending approvals; approval mails link here.
import { Empty, Sheet, Slot, useItem, useSession, t } from '@keelson/web';
import ApprovalsPanel from './approvals-panel.tsx';

export default function Approvals() {
  const { data } = useItem('GET /tickets/pending-approval');
  const { panels } = useSession();
  const others = panels.some((each) => each.slot === 'portal.approvals');
  return (
    <Sheet title={t('Approvals')}>
      <ApprovalsPanel all />
      <Slot name="portal.approvals" />
      {data?.tickets.length === 0 && !others && (
        <Empty icon="check" title={t('Nothing to approve. Requests from your team that need approval appear here.')} />
      )}
      {data?.tickets.length === 0 && others && (
        <p className="tone-muted">{t('No requests from your team need approval.')}</p>
      )}
    </Sheet>
  );
}
