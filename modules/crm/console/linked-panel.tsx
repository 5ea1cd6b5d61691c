// What a converted lead became, beside the lead.
import { Fact, Facts, RecordName, Section, t } from '@keelson/web';

interface Converted {
  readonly contact_id: number | null;
  readonly prospect_id: number | null;
  readonly opportunity_id: number | null;
}

export default function LinkedPanel({ record }: { record: Converted }) {
  const { contact_id, prospect_id, opportunity_id } = record;
  if (contact_id === null && prospect_id === null && opportunity_id === null) return null;
  return (
    <Section title={t('Converted to')}>
      <Facts>
        <Fact name={t('Contact')}>{contact_id && <RecordName type="crm_contact" id={contact_id} />}</Fact>
        <Fact name={t('Prospect')}>{prospect_id && <RecordName type="prospect" id={prospect_id} />}</Fact>
        <Fact name={t('Opportunity')}>{opportunity_id && <RecordName type="opportunity" id={opportunity_id} />}</Fact>
      </Facts>
    </Section>
  );
}
