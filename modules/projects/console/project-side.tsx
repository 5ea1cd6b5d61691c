// Facts of a project, edited in place.
import {
  date,
  EditableFact,
  EditingForm,
  Fact,
  Facts,
  IconButton,
  Link,
  RecordField,
  Section,
  TextField,
  texts,
  useEditing,
  t,
  withinSentence,
  percent,
} from '@keelson/web';
import { save } from './changes.tsx';
import { UPDATE, type Project } from './look.tsx';

interface PartProps {
  readonly project: Project;
  readonly writes: boolean;
}

export function ProjectSide({ project, writes }: PartProps) {
  const { project_id: id, project_manager, project_manager_id, start_date, due_date, completed_at } = project;
  const saveDay = (name: 'start_date' | 'due_date') => (given: FormData) =>
    save(UPDATE, { id, body: { [name]: texts(given, name)[name] || null } });
  return (
    <Section title={t('Project')}>
      <Facts>
        <Fact name={t('Company')}>
          <Link href={`/companies/${project.company_number}`}>{project.company_name}</Link>
        </Fact>
        <EditableFact
          name={t('Manager', {}, 'project')}
          field={
            writes && (
              <RecordField
                type="technician"
                name="project_manager_id"
                label={t('Manager', {}, 'project')}
                value={project_manager_id}
                shown={project_manager}
              />
            )
          }
          onSave={(given) =>
            save(UPDATE, { id, body: { project_manager_id: Number(given.get('project_manager_id')) || null } })
          }
        >
          {project_manager}
        </EditableFact>
        <EditableFact
          name={t('Start', {}, 'noun')}
          field={
            writes && <TextField name="start_date" label={t('Start', {}, 'noun')} type="date" value={start_date} />
          }
          onSave={saveDay('start_date')}
        >
          {start_date && date(start_date)}
        </EditableFact>
        <EditableFact
          name={t('Due')}
          field={writes && <TextField name="due_date" label={t('Due')} type="date" value={due_date} />}
          onSave={saveDay('due_date')}
        >
          {due_date && date(due_date)}
        </EditableFact>
        <Fact name={t('Completed')}>{completed_at && date(completed_at)}</Fact>
        <Fact name={t('Progress')}>
          <label className="progress">
            {t('{progress} approved', { progress: percent(project.progress_percent) })}
            <progress max={100} value={project.progress_percent} />
          </label>
        </Fact>
        <Fact name={t('Overdue')}>
          {project.overdue_milestones > 0 && <span className="tone-danger">{project.overdue_milestones}</span>}
        </Fact>
      </Facts>
    </Section>
  );
}

/** Description, visible to the customer, and internal notes. */
export function ProjectTexts({ project, writes }: PartProps) {
  return (
    <>
      <ProjectText project={project} writes={writes} name="description" title={t('Description')} />
      <ProjectText project={project} writes={writes} name="notes" title={t('Internal notes')} />
    </>
  );
}

interface TextProps extends PartProps {
  readonly name: 'description' | 'notes';
  readonly title: string;
}

function ProjectText({ project, writes, name, title }: TextProps) {
  const { open, toggle, ...form } = useEditing((given) =>
    save(UPDATE, { id: project.project_id, body: { [name]: texts(given, name)[name] } }),
  );
  return (
    <section className="project-text">
      <header>
        <h2>{title}</h2>
        {writes && !open && (
          <IconButton
            icon="edit"
            label={t('Change {title}', { title: withinSentence(title) })}
            className="quiet"
            onClick={toggle}
          />
        )}
      </header>
      {open ? (
        <EditingForm {...form} onCancel={toggle}>
          <TextField name={name} label={title} value={project[name]} lines={6} max={20_000} />
        </EditingForm>
      ) : (
        <p className="text">{project[name] || <span className="tone-muted">{t('None yet.')}</span>}</p>
      )}
    </section>
  );
}
