// Project page: milestones for managers to sign off, and the punch list for everyone.
import {
  date,
  Fact,
  Facts,
  Line,
  Lines,
  money,
  RecordPage,
  RecordPending,
  useItem,
  useMay,
  t,
  percent,
} from '@keelson/web';
import { canBeDecided, State, type Milestone, type Project } from './look.tsx';
import { MilestoneActs } from './milestone-acts.tsx';
import { PunchList } from './punch-list.tsx';

const back = { to: '/projects', title: t('Back to projects') };

export default function ProjectPage({ params }: { params: { id: string } }) {
  const project_id = Number(params.id);
  const { data, error, refetch } = useItem('GET /projects/{project_id}', { project_id });
  if (!data) return <RecordPending title={t('Project')} back={back} error={error} retry={() => void refetch()} />;
  return (
    <RecordPage title={data.name} back={back} badge={<State of={data.status} />}>
      <div className="project">
        {data.description && <p className="text">{data.description}</p>}
        <Progress project={data} />
        {data.milestones.length > 0 && <Milestones project={data} />}
        <PunchList project_id={project_id} items={data.punch_list} />
      </div>
    </RecordPage>
  );
}

function Progress({ project }: { project: Project }) {
  return (
    <div className="project-facts">
      <label>
        {t('{progress} done', { progress: percent(project.progress_percent) })}
        <progress max={100} value={project.progress_percent} />
      </label>
      <Facts>
        <Fact name={t('Led by')}>{project.project_manager}</Fact>
        <Fact name={t('From')}>{project.start_date && date(project.start_date)}</Fact>
        <Fact name={t('Until')}>{project.due_date && date(project.due_date)}</Fact>
        <Fact name={t('Finished')}>{project.completed_at && date(project.completed_at)}</Fact>
      </Facts>
    </div>
  );
}

function Milestones({ project }: { project: Project }) {
  const decides = useMay()('ismgr');
  return (
    <Lines title={t('Milestones')}>
      {project.milestones.map((each: Milestone) => (
        <Line
          key={each.milestone_id}
          title={each.name}
          about={[
            each.due_date && t('due {date}', { date: date(each.due_date) }),
            each.overdue && (
              <span key="late" className="tone-danger">
                {t('late')}
              </span>
            ),
            each.amount !== null && money(each.amount, each.currency),
            each.decided_by && `${each.decided_by}, ${each.decided_at ? date(each.decided_at) : ''}`,
          ]}
          end={decides && canBeDecided(each, project) ? <MilestoneActs milestone={each} /> : <State of={each.status} />}
        >
          {each.rejection_reason && <p className="line-text">{each.rejection_reason}</p>}
          {each.info_request && <p className="line-text">{each.info_request}</p>}
        </Line>
      ))}
    </Lines>
  );
}
