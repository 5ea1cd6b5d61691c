// Home page panel with milestones that await a manager's decision.
import { date, Icon, Line, Lines, money, useItem, t } from '@keelson/web';
import type { Milestone } from './look.tsx';
import { MilestoneActs } from './milestone-acts.tsx';

export default function MilestonesPanel() {
  const waiting: readonly Milestone[] = useItem('GET /milestones/pending').data?.milestones ?? [];
  if (waiting.length === 0) return null;
  return (
    <Lines title={t('Milestones awaiting your approval')}>
      {waiting.map((each) => (
        <Line
          key={each.milestone_id}
          start={<Icon name="flag" />}
          title={each.name}
          to={`/projects/${each.project_id}`}
          about={[
            each.project_name,
            each.amount !== null && money(each.amount, each.currency),
            each.due_date && t('due {date}', { date: date(each.due_date) }),
          ]}
          end={<MilestoneActs milestone={each} />}
        >
          {each.description && <p className="line-text">{each.description}</p>}
        </Line>
      ))}
    </Lines>
  );
}
