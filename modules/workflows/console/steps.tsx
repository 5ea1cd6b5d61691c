// Steps of a workflow in words: when, if, then.
import { Card, Fact, Facts, plainText, words, type Data, t } from '@keelson/web';
import { actionType, ActionValue, keyOf, usePluginActions, type Action } from './action-fields.tsx';
import { ConditionInWords, type Condition } from './condition-fields.tsx';
import { useComparable, useEventTitles } from './condition-kind.tsx';

type Workflow = Data<'GET /workflows.php?id={id}'>;

export function Steps({ workflow }: { workflow: Workflow }) {
  const { type, event } = workflow.trigger;
  const events = useEventTitles();
  const fields = useComparable(type === 'event' ? event : undefined, { enabled: type !== 'schedule' });
  return (
    <>
      <Card title={t('When')}>
        <p>{(event && events.get(event)) ?? triggerInWords(workflow.trigger)}</p>
      </Card>
      <Card title={t('If')}>
        {workflow.conditions.length === 0 && <p>{t('Always.')}</p>}
        {workflow.conditions.map((each: Condition, index: number) => (
          <p key={index}>
            <ConditionInWords condition={each} fields={fields ?? []} />
          </p>
        ))}
      </Card>
      <Card title={t('Then')}>
        {workflow.actions.map((each: Action, index: number) => (
          <OneAction key={index} action={each} />
        ))}
      </Card>
    </>
  );
}

function triggerInWords({ type, event, every_minutes }: Workflow['trigger']): string {
  if (type === 'event') return words(event ?? '');
  if (type === 'schedule')
    return every_minutes === 1
      ? t('Every minute')
      : t('Every {every_minutes} minutes', { every_minutes: every_minutes ?? 0 });
  return t('When started manually');
}

/** An action of a plugin, with the values set in the editor. */
function PluginAction({ action }: { action: Action }) {
  const name = keyOf(action);
  const declared = usePluginActions().get(name);
  const input = (action['input'] ?? {}) as Readonly<Record<string, unknown>>;
  return (
    <div className="step">
      <p className="step-title">{declared?.title ?? words(name.replaceAll('.', ' '))}</p>
      <Facts>
        {Object.entries(input).map(([field, value]) => (
          <Fact key={field} name={declared?.input.fields[field]?.title ?? words(field)}>
            {typeof value === 'boolean' ? (value ? t('Yes') : t('No')) : plainText(value)}
          </Fact>
        ))}
      </Facts>
    </div>
  );
}

function OneAction({ action }: { action: Action }) {
  if (action['type'] === 'plugin_action') return <PluginAction action={action} />;
  const { label, fields } = actionType(String(action['type']));
  return (
    <div className="step">
      <p className="step-title">{label}</p>
      <Facts>
        {fields
          .filter(({ name, kind }) => kind !== 'secret' && action[name] !== undefined)
          .map((each) => (
            <Fact key={each.name} name={each.label}>
              <ActionValue of={each} value={action[each.name]} />
            </Fact>
          ))}
      </Facts>
    </div>
  );
}
