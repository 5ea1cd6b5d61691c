// The language of a company's people who have not chosen one themselves.
import { Card, chosenLanguage, languageChoices, SelectField, t, toast, useChange, useItem, useMay } from '@keelson/web';

export function CompanyLanguage({ company: { company_number: id } }: { company: { company_number: number } }) {
  const { data } = useItem('GET /companies.php?action=language&id={id}', { id });
  const may = useMay()('companies:write');
  const change = useChange('PUT /companies.php?action=language&id={id}', {
    touches: ['action=language'],
    done: () => toast(t('Saved')),
  });
  if (!data || !may) return null;
  return (
    <Card title={t('Language')}>
      <SelectField
        name="language"
        label={t('Language of pages and emails')}
        hint={t('For people of this company who have not chosen a language.')}
        value={data.language}
        choices={languageChoices}
        none={t('Default')}
        onChoose={(language) => change.mutate({ id, body: { language: chosenLanguage(language) } })}
      />
    </Card>
  );
}
