// Milestone in the plan: edited in place, submitted for the customer's approval.
import {
  Button,
  confirm,
  date,
  Dialog,
  editsOf,
  EditingForm,
  Form,
  Grip,
  IconButton,
  Line,
  money,
  TextField,
  texts,
  toast,
  useChange,
  useEditing,
  t,
} from '@keelson/web';
import { useState } from 'react';
import schema from 'schema:PUT /projects.php?action=milestones&id={id}&milestone_id={milestone_id}';
import { save, touches } from './changes.tsx';
import { milestoneStates, State, type Milestone } from './look.tsx';

const UPDATE = 'PUT /projects.php?action=milestones&id={id}&milestone_id={milestone_id}';

interface MilestoneRowProps {
  readonly id: number;
  readonly milestone: Milestone;
  readonly writes: boolean;
  readonly onStep: (by: -1 | 1) => void;
}

/** A submitted milestone is fixed until the customer rejects it. */
const changeable: ReadonlySet<Milestone['status']> = new Set(['pending', 'rejected']);

export function MilestoneRow({ id, milestone, writes, onStep }: MilestoneRowProps) {
  const { milestone_id, name, status } = milestone;
  const [open, setOpen] = useState<'edit' | 'submit'>();
  const close = () => setOpen(undefined);
  const remove = useChange('DELETE /projects.php?action=milestones&id={id}&milestone_id={milestone_id}', { touches });
  const onDelete = async () => {
    const text = t('This cannot be undone.');
    if (await confirm({ title: t('Delete {name}?', { name }), text, act: t('Delete'), danger: true }))
      remove.mutate({ id, milestone_id });
  };
  if (open === 'edit')
    return (
      <li className="line plan-form">
        <MilestoneForm id={id} milestone={milestone} onClose={close} />
      </li>
    );
  const edits = writes && changeable.has(status);
  return (
    <Line
      start={writes && <Grip label={t('Move {name}', { name })} kind="milestone" id={milestone_id} onStep={onStep} />}
      title={name}
      about={[
        milestone.due_date && t('due {day}', { day: date(milestone.due_date) }),
        milestone.overdue && (
          <span key="late" className="tone-danger">
            {t('overdue')}
          </span>
        ),
        milestone.amount !== null && money(milestone.amount, milestone.currency),
        milestone.decided_by && `${milestone.decided_by}, ${milestone.decided_at ? date(milestone.decided_at) : ''}`,
      ]}
      end={
        <>
          <State of={milestoneStates[status]} />
          {edits && (
            <>
              <IconButton
                icon="edit"
                label={t('Edit {name}', { name })}
                className="quiet"
                onClick={() => setOpen('edit')}
              />
              <IconButton
                icon="trash"
                label={t('Delete {name}', { name })}
                className="quiet"
                onClick={() => void onDelete()}
              />
            </>
          )}
          {writes && (edits || status === 'info_requested') && (
            <Button size="small" onClick={() => setOpen('submit')}>
              {status === 'info_requested' ? t('Answer') : t('Submit')}
              <span className="hidden"> {name}</span>
            </Button>
          )}
        </>
      }
    >
      {milestone.rejection_reason && (
        <p className="line-text">
          {t('Rejected: {rejection_reason}', { rejection_reason: milestone.rejection_reason })}
        </p>
      )}
      {milestone.info_request && (
        <p className="line-text">{t('Question: {info_request}', { info_request: milestone.info_request })}</p>
      )}
      {open === 'submit' && <SubmitDialog id={id} milestone={milestone} onClose={close} />}
    </Line>
  );
}

function MilestoneForm({ id, milestone, onClose }: { id: number; milestone: Milestone; onClose: () => void }) {
  const { milestone_id, name, due_date, amount, description } = milestone;
  const {
    open: _open,
    toggle: _toggle,
    ...form
  } = useEditing(async (given, opened) => {
    const body = editsOf(given, opened, schema, ['name', 'due_date', 'amount', 'description']);
    if (Object.keys(body).length > 0) await save(UPDATE, { id, milestone_id, body });
    onClose();
  });
  return (
    <EditingForm {...form} onCancel={onClose}>
      <TextField name="name" label={t('Name')} value={name} required max={255} />
      <TextField name="due_date" label={t('Due')} type="date" value={due_date} />
      <TextField name="amount" label={t('Amount')} type="number" step="0.01" value={amount} />
      <TextField name="description" label={t('Description')} value={description} lines={2} max={20_000} />
    </EditingForm>
  );
}

function SubmitDialog({ id, milestone, onClose }: { id: number; milestone: Milestone; onClose: () => void }) {
  const { milestone_id, name, status } = milestone;
  const answers = status === 'info_requested';
  const submit = useChange('POST /projects.php?action=submit-milestone&id={id}&milestone_id={milestone_id}', {
    touches,
    quiet: true,
    done: () => {
      onClose();
      toast(answers ? t('Answered: {name}', { name }) : t('Submitted for approval: {name}', { name }));
    },
  });
  return (
    <Dialog
      title={answers ? t('Answer question about {name}', { name }) : t('Submit {name}', { name })}
      open
      onClose={onClose}
    >
      {answers ? (
        <p>{milestone.info_request}</p>
      ) : (
        <p>{t('The customer’s managers will be asked by mail to approve it.')}</p>
      )}
      <Form
        submit={answers ? t('Answer') : t('Submit for approval')}
        busy={submit.isPending}
        error={submit.error}
        onCancel={onClose}
        onSubmit={(given) => submit.mutate({ id, milestone_id, body: texts(given, 'comment') })}
      >
        <TextField
          name="comment"
          label={answers ? t('Answer') : t('Comment')}
          required={answers}
          lines={3}
          max={5000}
          autoFocus
        />
      </Form>
    </Dialog>
  );
}
