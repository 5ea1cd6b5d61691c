import { addressWith, RecordPage, toast, useChange, useGo, useSearchParams, useSession, t } from '@keelson/web';
import { useState } from 'react';
import { emptyLine } from './line-editor.tsx';
import { ProposalForm } from './proposal-form.tsx';

export default function CreateProposal() {
  const [params] = useSearchParams();
  const go = useGo();
  const { tenant } = useSession();
  const [values] = useState(() => ({ lines: [emptyLine()] }));
  const create = useChange('POST /billing/proposals.php', {
    quiet: true,
    touches: ['/billing/proposals.php'],
    done: ({ proposal_id, proposal_number }) => {
      toast(t('Draft {proposal_number} created', { proposal_number }));
      go(addressWith('/proposals/:id', proposal_id));
    },
  });
  return (
    <RecordPage title={t('New proposal')} back={{ to: '/proposals', title: t('Back to proposals') }}>
      <div className="invoice-paper">
        <ProposalForm
          values={values}
          currency={tenant.currency}
          company={{ number: Number(params.get('company_number')) || undefined }}
          submit={t('Save draft')}
          busy={create.isPending}
          error={create.error}
          onCancel={() => history.back()}
          onSubmit={(body, _opened, given) =>
            create.mutate({ body: { ...body, company_number: Number(given.get('company_number')) } })
          }
        />
      </div>
    </RecordPage>
  );
}
