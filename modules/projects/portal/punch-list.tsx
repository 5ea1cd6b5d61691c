// Punch list of the portal, for the people who report items.
import {
  Button,
  Dialog,
  Form,
  Line,
  Lines,
  SelectField,
  TextField,
  texts,
  Time,
  toast,
  useChange,
  t,
} from '@keelson/web';
import { useState } from 'react';
import { State, type PunchItem } from './look.tsx';

const touches = ['/projects'];
const priorities = [
  { value: 'low', label: t('Low') },
  { value: 'medium', label: t('Medium') },
  { value: 'high', label: t('High') },
];

export function PunchList({ project_id, items }: { project_id: number; items: readonly PunchItem[] }) {
  const [adding, setAdding] = useState(false);
  const [answering, setAnswering] = useState<PunchItem>();
  return (
    <>
      <Lines
        title={t('Punch list')}
        act={
          <Button size="small" icon="plus" onClick={() => setAdding(true)}>
            {t('Add')}
          </Button>
        }
      >
        {items.map((each) => (
          <Line
            key={each.item_id}
            title={each.title || each.description}
            about={[each.location, each.submitted_by, <Time key="at" at={each.created_at} />]}
            end={
              <>
                <State of={each.status} />
                {each.status !== 'closed' && (
                  <Button size="small" onClick={() => setAnswering(each)}>
                    {t('Answer')}
                    <span className="hidden"> {each.title}</span>
                  </Button>
                )}
              </>
            }
          >
            {each.title && each.description && <p className="line-text">{each.description}</p>}
            {each.responses.map((said: PunchItem['responses'][number]) => (
              <p key={said.response_id} className="line-text">
                <b>{said.author_name}</b> {said.response}
              </p>
            ))}
          </Line>
        ))}
        {items.length === 0 && <li className="none">{t('No open items.')}</li>}
      </Lines>
      <AddItem project_id={project_id} open={adding} onClose={() => setAdding(false)} />
      {answering && <AnswerItem project_id={project_id} item={answering} onClose={() => setAnswering(undefined)} />}
    </>
  );
}

function AddItem({ project_id, open, onClose }: { project_id: number; open: boolean; onClose: () => void }) {
  const add = useChange('POST /projects/{project_id}/punch-list', {
    touches,
    quiet: open,
    done: () => {
      onClose();
      toast(t('Item added'));
    },
  });
  return (
    <Dialog title={t('Report an issue')} open={open} onClose={onClose}>
      <Form
        submit={t('Add')}
        busy={add.isPending}
        error={add.error}
        onCancel={onClose}
        onSubmit={(given) => {
          const { priority, ...said } = texts(given, 'title', 'description', 'location', 'priority');
          add.mutate({ project_id, body: { ...said, priority: priority as 'medium' } });
        }}
      >
        <TextField name="title" label={t('Summary')} required max={255} autoFocus />
        <TextField name="description" label={t('Description')} required lines={3} max={5000} />
        <TextField name="location" label={t('Where?')} max={255} />
        <SelectField name="priority" label={t('Priority')} required value="medium" choices={priorities} />
      </Form>
    </Dialog>
  );
}

function AnswerItem({ project_id, item, onClose }: { project_id: number; item: PunchItem; onClose: () => void }) {
  const { item_id } = item;
  const reviewed = item.status === 'ready_for_review';
  const answer = useChange('POST /projects/{project_id}/punch-list/{item_id}/respond', {
    touches,
    quiet: true,
    done: () => {
      onClose();
      toast(t('Sent'));
    },
  });
  return (
    <Dialog title={item.title || t('Answer')} open onClose={onClose}>
      <Form
        submit={t('Send')}
        busy={answer.isPending}
        error={answer.error}
        onCancel={onClose}
        onSubmit={(given) => {
          const { response, status } = texts(given, 'response', 'status');
          answer.mutate({
            project_id,
            item_id,
            body: { response, ...(status && { status: status as 'accepted' }) },
          });
        }}
      >
        <TextField name="response" label={t('Your answer')} required lines={3} max={5000} autoFocus />
        {reviewed && (
          <SelectField
            name="status"
            label={t('Is it fixed?')}
            none={t('Just reply')}
            choices={[
              { value: 'accepted', label: t('Yes, it is fixed') },
              { value: 'rejected', label: t('No, not yet') },
            ]}
          />
        )}
      </Form>
    </Dialog>
  );
}
