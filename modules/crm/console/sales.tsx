// Sales dashboard: figures, the pipeline by stage, and due activities.
import {
  Bones,
  Card,
  Chart,
  Failed,
  Figure,
  Link,
  Loaded,
  localToday,
  money,
  number,
  Sheet,
  Time,
  useItem,
  usePages,
  words,
  firstRows,
  t,
} from '@keelson/web';
import { stageName } from './stage-name.tsx';

const FIGURES = 'GET /crm/dashboard.php';
const PIPELINE = 'GET /crm/pipeline.php';
const DUE = 'crm:GET /activities';

export default function Sales() {
  const { data, error } = useItem(FIGURES);
  return (
    <Sheet title={t('Sales')}>
      {error ? (
        <Failed error={error} />
      ) : data ? (
        <div className="figures">
          <Figure name={t('New leads')} to="/leads?status=new">
            {number(data.new_leads)}
          </Figure>
          <Figure name={t('Open leads')} to="/leads">
            {number(data.open_leads)}
          </Figure>
          <Figure name={t('Open opportunities')} to="/opportunities?status=open">
            {number(data.open_opportunities)}
          </Figure>
          <Figure name={t('Pipeline')}>{money(data.pipeline_value, data.currency)}</Figure>
          <Figure name={t('Won this month')}>{money(data.won_value_this_month, data.currency)}</Figure>
          <Figure
            name={t('Activities due')}
            to={`/activities?completed=false&due_before=${localToday()}&sort=due_date&order=asc`}
          >
            {number(data.activities_due)}
          </Figure>
        </div>
      ) : (
        <Bones />
      )}
      <div className="columns">
        <Pipeline />
        <Due />
      </div>
    </Sheet>
  );
}

function Pipeline() {
  const { data, error } = useItem(PIPELINE);
  if (error) return <Failed error={error} />;
  if (!data) return <Bones />;
  const stages = data.stages as readonly {
    stage?: string;
    name?: string;
    count: number;
    value?: number;
    total_value?: number;
  }[];
  return (
    <Card title={t('Pipeline: {total_value}', { total_value: money(data.total_value, data.currency) })}>
      <Chart
        title={t('Opportunities by stage')}
        points={stages.map((each) => ({ label: stageName(each.stage ?? each.name ?? ''), value: each.count }))}
      />
    </Card>
  );
}

const SHOWN = 8;

/** The open activities that are due first, then the newest of those without a due date. */
function Due() {
  const dated = usePages(DUE, { completed: false, due: 'set', sort: 'due_date', order: 'asc' });
  const undated = usePages(DUE, { completed: false, due: 'none' });
  const rows = [...firstRows(dated, SHOWN), ...firstRows(undated, SHOWN)].slice(0, SHOWN);
  return (
    <Card title={t('To do')} flush>
      <Loaded list={[dated, undated]}>
        {rows.length === 0 && <p className="none">{t('Nothing due.')}</p>}
        <ul className="due">
          {rows.map((each) => (
            <li key={each.activity_id}>
              <Link href={`/activities/${each.activity_id}`}>{each.subject}</Link>
              <span className="tone-muted">
                {words(each.type)} {each.due_date && <Time at={each.due_date} />}
              </span>
            </li>
          ))}
        </ul>
      </Loaded>
    </Card>
  );
}
