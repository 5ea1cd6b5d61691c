// Phases with their milestones. Both can be dragged by their handles, or moved with the arrow keys.
import {
  confirm,
  date,
  editsOf,
  EditingForm,
  Grip,
  IconButton,
  Menu,
  TextField,
  useChange,
  useDrop,
  useEditing,
  t,
} from '@keelson/web';
import { useState } from 'react';
import schema from 'schema:PUT /projects.php?action=phases&id={id}&phase_id={phase_id}';
import { AddLine } from './add-line.tsx';
import { moveMilestone, orderPhases, save, touches } from './changes.tsx';
import { choicesOf, phaseStates, State, type Milestone, type Phase, type Project } from './look.tsx';
import { MilestoneRow } from './milestone-row.tsx';

const UPDATE = 'PUT /projects.php?action=phases&id={id}&phase_id={phase_id}';

interface PlanProps {
  readonly project: Project;
  readonly writes: boolean;
}

export function Plan({ project, writes }: PlanProps) {
  const { project_id: id, phases, milestones } = project;
  const of = (phase_id: number | null) =>
    milestones
      .filter((each) => each.phase_id === phase_id)
      .toSorted((a, b) => (a.due_date ?? '9999').localeCompare(b.due_date ?? '9999'));
  const loose = of(null);
  const steps = [null, ...phases.map((each) => each.phase_id)];
  const step = ({ milestone_id, phase_id }: Milestone, by: -1 | 1) => {
    const to = steps[steps.indexOf(phase_id) + by];
    if (to !== undefined) moveMilestone(project, milestone_id, to);
  };
  return (
    <div className="plan">
      {(loose.length > 0 || phases.length === 0) && (
        <Loose project={project} writes={writes} milestones={loose} onStep={step} />
      )}
      {phases.map((phase) => (
        <PhasePart
          key={phase.phase_id}
          project={project}
          phase={phase}
          milestones={of(phase.phase_id)}
          writes={writes}
          onStep={step}
        />
      ))}
      {writes && (
        <AddLine
          label={t('Add phase')}
          onAdd={(name) =>
            save('POST /projects.php?action=phases&id={id}', {
              id,
              body: { name, sort_order: Math.max(-1, ...phases.map((each) => each.sort_order)) + 1 },
            })
          }
        />
      )}
    </div>
  );
}

interface PartProps extends PlanProps {
  readonly milestones: readonly Milestone[];
  readonly onStep: (milestone: Milestone, by: -1 | 1) => void;
}

/** Milestones without a phase. */
function Loose({ project, milestones, writes, onStep }: PartProps) {
  const drop = useDrop('milestone', writes ? (key) => moveMilestone(project, Number(key), null) : undefined);
  return (
    <section className="phase" aria-label={t('No phase')} {...drop}>
      <header>
        <h2>{t('No phase')}</h2>
      </header>
      <Milestones project={project} milestones={milestones} writes={writes} onStep={onStep} phase={undefined} />
    </section>
  );
}

function PhasePart({ project, phase, milestones, writes, onStep }: PartProps & { phase: Phase }) {
  const { project_id: id, phases } = project;
  const { phase_id, name, status } = phase;
  const move = (moved: number, to: number) => {
    const ids = phases.map((each) => each.phase_id);
    const from = ids.indexOf(moved);
    const found = phases[from];
    if (!found || to < 0 || to >= ids.length || from === to) return;
    ids.splice(to, 0, ...ids.splice(from, 1));
    orderPhases(project, ids, found.name);
  };
  const at = phases.indexOf(phase);
  const drop = useDrop('milestone', writes ? (key) => moveMilestone(project, Number(key), phase_id) : undefined);
  const onPhase = useDrop('phase', writes ? (key) => move(Number(key), at) : undefined);
  const update = useChange(UPDATE, { touches });
  const remove = useChange('DELETE /projects.php?action=phases&id={id}&phase_id={phase_id}', { touches });
  const [editing, setEditing] = useState(false);
  const onDelete = async () => {
    const text = t('Its milestones will stay in the project.');
    if (await confirm({ title: t('Delete phase {name}?', { name }), text, act: t('Delete'), danger: true }))
      remove.mutate({ id, phase_id });
  };
  return (
    <section
      className="phase"
      aria-label={name}
      data-over={drop['data-over'] ?? onPhase['data-over']}
      onDragOver={(event) => {
        drop.onDragOver(event);
        onPhase.onDragOver(event);
      }}
      onDragLeave={() => {
        drop.onDragLeave();
        onPhase.onDragLeave();
      }}
      onDrop={(event) => {
        drop.onDrop(event);
        onPhase.onDrop(event);
      }}
    >
      <header>
        {writes && (
          <Grip
            label={t('Move {name}', { name })}
            kind="phase"
            id={phase_id}
            onStep={(by) => move(phase_id, at + by)}
          />
        )}
        {editing ? (
          <PhaseForm id={id} phase={phase} onClose={() => setEditing(false)} />
        ) : (
          <>
            <h2>{name}</h2>
            <span className="tone-muted">{spanOf(phase)}</span>
            {writes && (
              <span className="phase-acts">
                <IconButton
                  icon="edit"
                  label={t('Edit {name}', { name })}
                  className="quiet"
                  onClick={() => setEditing(true)}
                />
                <IconButton
                  icon="trash"
                  label={t('Delete {name}', { name })}
                  className="quiet"
                  onClick={() => void onDelete()}
                />
              </span>
            )}
          </>
        )}
        {writes ? (
          <Menu
            label={t('Status of {name}', { name })}
            className="button quiet small phase-state"
            value={status}
            choices={choicesOf(phaseStates)}
            onChoose={(to) => update.mutate({ id, phase_id, body: { status: to } })}
          >
            <State of={phaseStates[status]} />
          </Menu>
        ) : (
          <State of={phaseStates[status]} />
        )}
      </header>
      <Milestones project={project} milestones={milestones} writes={writes} onStep={onStep} phase={phase_id} />
    </section>
  );
}

function Milestones({ project, milestones, writes, onStep, phase }: PartProps & { phase: number | undefined }) {
  const { project_id: id } = project;
  return (
    <>
      {milestones.length === 0 && <p className="none">{t('No milestones yet.')}</p>}
      <ul>
        {milestones.map((each) => (
          <MilestoneRow
            key={each.milestone_id}
            id={id}
            milestone={each}
            writes={writes}
            onStep={(by) => onStep(each, by)}
          />
        ))}
      </ul>
      {writes && (
        <AddLine
          label={t('Add milestone')}
          onAdd={(name) =>
            save('POST /projects.php?action=milestones&id={id}', { id, body: { name, phase_id: phase ?? null } })
          }
        />
      )}
    </>
  );
}

function PhaseForm({ id, phase, onClose }: { id: number; phase: Phase; onClose: () => void }) {
  const { phase_id, name, start_date, due_date } = phase;
  const {
    open: _open,
    toggle: _toggle,
    ...form
  } = useEditing(async (given, opened) => {
    const body = editsOf(given, opened, schema, ['name', 'start_date', 'due_date']);
    if (Object.keys(body).length > 0) await save(UPDATE, { id, phase_id, body });
    onClose();
  });
  return (
    <div className="plan-form">
      <EditingForm {...form} onCancel={onClose}>
        <TextField name="name" label={t('Name')} value={name} required max={255} />
        <TextField name="start_date" label={t('Start', {}, 'noun')} type="date" value={start_date} />
        <TextField name="due_date" label={t('Due')} type="date" value={due_date} />
      </EditingForm>
    </div>
  );
}

function spanOf({ start_date, due_date }: Phase): string {
  if (start_date && due_date) return `${date(start_date)} – ${date(due_date)}`;
  if (start_date) return t('from {date}', { date: date(start_date) });
  return due_date ? t('until {date}', { date: date(due_date) }) : '';
}
