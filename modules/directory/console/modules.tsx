// Module switches of a company; the portal's pages follow immediately.
import { Bones, Card, Failed, useChange, useItem, useMay, words, t } from '@keelson/web';

const READ = 'GET /companies.php?action=modules&id={id}';

export function Modules({ company: { company_number: id } }: { company: { company_number: number } }) {
  const { data, error } = useItem(READ, { id });
  const may = useMay()('companies:write');
  const change = useChange('PUT /companies.php?action=modules&id={id}', { touches: ['action=modules'] });
  if (error) return <Failed error={error} />;
  if (!data) return <Bones />;
  return (
    <Card title={t('Portal modules')}>
      <ul className="switches">
        {Object.entries(data).map(([name, on]) => (
          <li key={name}>
            <label>
              <input
                type="checkbox"
                checked={Boolean(on)}
                disabled={!may || change.isPending}
                onChange={(event) => change.mutate({ id, body: { modules: { [name]: event.target.checked } } })}
              />{' '}
              {words(name)}
            </label>
          </li>
        ))}
      </ul>
    </Card>
  );
}
