// Form to create or edit a workflow.
import {
  Form,
  LinkButton,
  RecordPage,
  RecordPending,
  Secret,
  useChange,
  useItem,
  useGo,
  type Data,
  t,
} from '@keelson/web';
import { useState } from 'react';
import { useChoices, WorkflowFields, workflowOf } from './workflow-fields.tsx';

const READ = 'GET /workflows.php?id={id}';
const touches = ['/workflows.php'];
const back = { to: '/workflows', title: t('Back to workflows') };
type Workflow = Data<typeof READ>;

export default function EditWorkflow({ params }: { params: { id?: string } }) {
  const id = Number(params.id);
  const { data, error, refetch } = useItem(READ, { id }, { enabled: params.id !== undefined });
  if (params.id === undefined) return <Edit title={t('New workflow')} />;
  if (error || !data)
    return <RecordPending title={t('Workflow')} back={back} error={error} retry={() => void refetch()} />;
  return <Edit title={t('Edit {name}', { name: data.name })} workflow={data} />;
}

function Edit({ title, workflow }: { title: string; workflow?: Workflow }) {
  const go = useGo();
  const [saved, setSaved] = useState<Workflow>();
  const done = (data: Workflow) => (secretsOf(data).length > 0 ? setSaved(data) : go(`/workflows/${data.workflow_id}`));
  const create = useChange('POST /workflows.php', { quiet: true, touches, done });
  const change = useChange('PUT /workflows.php?id={id}', { quiet: true, touches, done });
  const used = workflow ? change : create;
  const choices = useChoices(workflow);
  if (saved) return <Secrets workflow={saved} />;
  if (!choices.loaded) return <RecordPending title={title} back={back} error={choices.error} retry={choices.retry} />;
  return (
    <RecordPage title={title} back={workflow ? { to: `/workflows/${workflow.workflow_id}`, title: t('Back') } : back}>
      <Form
        submit={workflow ? t('Save') : t('Create workflow')}
        busy={used.isPending}
        error={used.error}
        onSubmit={(given, opened) => {
          const body = workflowOf({ given, opened }, workflow);
          if (workflow) change.mutate({ id: workflow.workflow_id, body });
          else create.mutate({ body });
        }}
      >
        <WorkflowFields {...(workflow && { workflow })} />
      </Form>
    </RecordPage>
  );
}

/** Returns the generated webhook secrets, which only this response contains. */
const secretsOf = ({ actions }: Workflow): string[] =>
  actions.flatMap(({ secret }: { secret?: unknown }) => (typeof secret === 'string' ? [secret] : []));

function Secrets({ workflow }: { workflow: Workflow }) {
  return (
    <RecordPage title={t('Workflow saved')} back={back}>
      {secretsOf(workflow).map((each) => (
        <Secret key={each} title={t('Webhook signing secret')}>
          {each}
        </Secret>
      ))}
      <LinkButton to={`/workflows/${workflow.workflow_id}`} look="primary">
        {t('Go to workflow')}
      </LinkButton>
    </RecordPage>
  );
}
