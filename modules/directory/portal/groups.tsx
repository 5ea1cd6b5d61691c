// Portal page of groups: whose requests need approval, and by whom.
import {
  Bones,
  Button,
  CheckField,
  Dialog,
  Empty,
  Failed,
  Form,
  Line,
  Lines,
  Sheet,
  TextField,
  texts,
  useChange,
  useItem,
  useGo,
  type Row,
  t,
  counted,
} from '@keelson/web';
import { useState } from 'react';

export default function Groups() {
  const [making, setMaking] = useState(false);
  const { data, error, refetch } = useItem('GET /managers');
  const groups: readonly Row<'GET /managers'>[] = data?.managers ?? [];
  return (
    <Sheet
      title={t('Manager groups')}
      acts={
        <Button look="primary" icon="plus" onClick={() => setMaking(true)}>
          {t('New group')}
        </Button>
      }
    >
      {error && <Failed error={error} retry={() => void refetch()} />}
      {!data && !error && <Bones rows={6} />}
      {data && groups.length === 0 && (
        <Empty
          icon="users"
          title={t('No groups yet. A group defines whose requests need approval and who approves them.')}
        />
      )}
      {groups.length > 0 && (
        <Lines title={t('Groups')}>
          {groups.map((each) => (
            <Line
              key={each.code}
              title={each.name}
              to={`/people/groups/${encodeURIComponent(each.code)}`}
              about={[
                counted(each.manager_count, 'managers'),
                counted(each.member_count, 'members'),
                each.require_approval ? t('requests need approval') : t('no approval needed'),
              ]}
            />
          ))}
        </Lines>
      )}
      <NewGroup open={making} onClose={() => setMaking(false)} />
    </Sheet>
  );
}

function NewGroup({ open, onClose }: { open: boolean; onClose: () => void }) {
  const go = useGo();
  const create = useChange('POST /managers', {
    quiet: open,
    touches: ['/managers'],
    done: ({ code }) => go(`/people/groups/${encodeURIComponent(code)}`),
  });
  return (
    <Dialog title={t('New group')} open={open} onClose={onClose}>
      <Form
        submit={t('Create')}
        busy={create.isPending}
        error={create.error}
        onCancel={onClose}
        onSubmit={(given) =>
          create.mutate({
            body: {
              ...texts(given, 'name', 'description'),
              require_approval: given.get('require_approval') === 'true',
            },
          })
        }
      >
        <TextField name="name" label={t('Name')} required max={255} autoFocus />
        <TextField name="description" label={t('Description')} max={1000} />
        <CheckField name="require_approval" label={t('Require approval for member requests')} checked />
      </Form>
    </Dialog>
  );
}
