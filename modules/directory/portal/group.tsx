// Portal page of one group: its rule, its managers and its members.
import {
  Button,
  Card,
  changedIn,
  CheckField,
  confirm,
  Form,
  RecordPage,
  RecordPending,
  TextField,
  texts,
  toast,
  useChange,
  useItem,
  useGo,
  type Data,
  t,
} from '@keelson/web';
import { GroupPeople } from './group-people.tsx';

const back = { to: '/people/groups', title: t('Back to groups') };
const touches = ['/managers'];

type Group = Data<'GET /managers/{code}'>;

export default function GroupPage({ params }: { params: { code: string } }) {
  const code = decodeURIComponent(params.code);
  const go = useGo();
  const { data, error, refetch } = useItem('GET /managers/{code}', { code });
  const remove = useChange('DELETE /managers/{code}', { touches, done: () => go('/people/groups') });
  if (!data) return <RecordPending title={t('Manager group')} back={back} error={error} retry={() => void refetch()} />;
  const onRemove = async () => {
    const question = {
      title: t('Delete {name}?', { name: data.name }),
      text: t('Its members are not deleted.'),
      act: t('Delete'),
      danger: true,
    };
    if (await confirm(question)) remove.mutate({ code });
  };
  return (
    <RecordPage title={data.name} back={back} acts={<Button onClick={() => void onRemove()}>{t('Delete')}</Button>}>
      <div className="group">
        <GroupPeople code={code} role="managers" title={t('Approvers')} people={data.managers} />
        <GroupPeople code={code} role="members" title={t('Members')} people={data.members} />
        <Rules group={data} />
      </div>
    </RecordPage>
  );
}

function Rules({ group }: { group: Group }) {
  const { data } = useItem('GET /job-types');
  const done = () => toast(t('Saved'));
  const save = useChange('PUT /managers/{code}', { touches, quiet: true, done });
  const offered: readonly string[] = (data?.job_types ?? []).map((each: { name: string }) => each.name);
  // Those chosen are kept before the others are loaded, and if they are no longer offered.
  const names = [...new Set([...offered, ...group.approval_job_types])];
  const rulesIn = (form: FormData) => ({
    ...texts(form, 'name', 'description'),
    require_approval: form.get('require_approval') === 'true',
    approval_job_types: names.filter((name) => form.get(`type ${name}`) === 'true'),
  });
  // The rest is not sent: a colleague may have changed it meanwhile.
  const submit = (given: FormData, opened: FormData) => {
    const body = changedIn(rulesIn(given), rulesIn(opened));
    if (Object.keys(body).length === 0) done();
    else save.mutate({ code: group.code, body });
  };
  return (
    <Card title={t('Approval rules')}>
      <Form submit={t('Save')} busy={save.isPending} error={save.error} onSubmit={submit}>
        <TextField name="name" label={t('Name')} required value={group.name} max={255} />
        <TextField name="description" label={t('Description')} value={group.description} max={1000} />
        <CheckField
          name="require_approval"
          label={t('Require approval for all member requests')}
          checked={group.require_approval}
        />
        <fieldset className="group-types">
          <legend>{t('Require approval for these categories')}</legend>
          {names.map((name) => (
            <CheckField
              key={name}
              name={`type ${name}`}
              label={name}
              checked={group.approval_job_types.includes(name)}
            />
          ))}
        </fieldset>
      </Form>
    </Card>
  );
}
