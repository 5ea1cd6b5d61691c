// Manager group page: approvers and members.
import {
  Badge,
  Button,
  confirm,
  EditDialog,
  Fact,
  Facts,
  Link,
  RecordPage,
  RecordPending,
  Section,
  useChange,
  useItem,
  useGo,
  useMay,
  useSearchParams,
  type Data,
  t,
} from '@keelson/web';
import { useState } from 'react';
import schema from 'schema:PUT /manager-groups.php?id={code}&company_number={company_number}';
import { GroupPeople } from './group-people.tsx';

const READ = 'GET /manager-groups.php?id={code}&company_number={company_number}';
type Group = Data<typeof READ>;
const names = ['name', 'description', 'require_approval', 'approval_job_types'];
const back = { to: '/manager-groups', title: t('Back to manager groups') };

export default function GroupPage({ params: { code } }: { params: { code: string } }) {
  const [query] = useSearchParams();
  const company_number = query.get('company_number') ?? '';
  const { data: group, error, refetch } = useItem(READ, { code, company_number });
  const may = useMay()('contacts:write');
  if (error || !group)
    return <RecordPending title={t('Manager group')} back={back} error={error} retry={() => void refetch()} />;
  return (
    <RecordPage
      // Groups of different companies may have the same code.
      key={company_number}
      title={group.name}
      back={back}
      badge={group.require_approval && <Badge tone="info">{t('Requires approval')}</Badge>}
      acts={may && <Acts group={group} />}
      side={<About group={group} />}
    >
      <GroupPeople group={group} role="managers" may={may} />
      <GroupPeople group={group} role="members" may={may} />
    </RecordPage>
  );
}

function About({ group }: { group: Group }) {
  return (
    <Section title={t('Manager group')}>
      <Facts>
        <Fact name={t('Company')}>
          <Link href={`/companies/${group.company_number}`}>{group.company_name}</Link>
        </Fact>
        <Fact name={t('Code')}>{group.code}</Fact>
        <Fact name={t('About')}>{group.description}</Fact>
        <Fact name={t('Approval')}>
          {group.require_approval ? t('Required for its members’ requests') : t('Not required')}
        </Fact>
        <Fact name={t('Categories')}>{group.approval_job_types.join(', ') || t('All')}</Fact>
      </Facts>
    </Section>
  );
}

function Acts({ group }: { group: Group }) {
  const { code, company_number, name } = group;
  const go = useGo();
  const [editing, setEditing] = useState(false);
  const touches = ['/manager-groups.php'];
  const remove = useChange('DELETE /manager-groups.php?id={code}&company_number={company_number}', {
    ...{ touches, done: () => go(back.to) },
  });
  const ask = async () => {
    const text = t('Its members will no longer have an approver.');
    if (await confirm({ title: t('Delete {name}?', { name }), text, act: t('Delete'), danger: true }))
      remove.mutate({ code, company_number });
  };
  return (
    <>
      <Button icon="edit" onClick={() => setEditing(true)}>
        {t('Edit')}
      </Button>
      <Button look="quiet" icon="trash" disabled={remove.isPending} onClick={() => void ask()}>
        {t('Delete')}
      </Button>
      <EditDialog
        title={t('Edit {name}', { name })}
        open={editing}
        onClose={() => setEditing(false)}
        operation="PUT /manager-groups.php?id={code}&company_number={company_number}"
        args={{ code, company_number }}
        schema={schema}
        names={names}
        values={group}
        touches={touches}
      />
    </>
  );
}
