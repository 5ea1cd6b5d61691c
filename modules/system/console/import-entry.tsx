import {
  Fact,
  Facts,
  ImportHistory,
  number,
  RecordPage,
  RecordPending,
  Time,
  useItem,
  t,
  withinSentence,
} from '@keelson/web';

const back = { to: '/imports', title: t('Back to imports') };

/** The page of one import in the history. */
export default function ImportEntry({ params }: { params: { id: string } }) {
  const { data, error, refetch } = useItem('GET /imports.php?id={id}', { id: Number(params.id) });
  if (error || !data)
    return <RecordPending title={t('Import')} back={back} error={error} retry={() => void refetch()} />;
  const { title, file_name, author_name, created_at, total, created, updated, failed } = data;
  return (
    <RecordPage title={t('Import of {title}', { title: withinSentence(title) })} back={back}>
      <Facts>
        <Fact name={t('File')}>{file_name || t('Sent by an API key')}</Fact>
        <Fact name={t('Imported by')}>{author_name}</Fact>
        <Fact name={t('Imported')}>
          <Time at={created_at} form="moment" />
        </Fact>
        <Fact name={t('Rows')}>{number(total)}</Fact>
        <Fact name={t('New')}>{number(created)}</Fact>
        <Fact name={t('Updated')}>{number(updated)}</Fact>
        <Fact name={t('Refused')}>{number(failed)}</Fact>
      </Facts>
      <ImportHistory import_id={data.import_id} />
    </RecordPage>
  );
}
