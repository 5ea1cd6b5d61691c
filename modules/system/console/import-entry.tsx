import { Fact, Facts, ImportHistory, number, RecordPage, RecordPending, Time, useItem } from '@keelson/web';

const back = { to: '/imports', title: 'Back to imports' };

/** The page of one import in the history. */
export default function ImportEntry({ params }: { params: { id: string } }) {
  const { data, error, refetch } = useItem('GET /imports.php?id={id}', { id: Number(params.id) });
  if (error || !data) return <RecordPending title="Import" back={back} error={error} retry={() => void refetch()} />;
  const { title, file_name, author_name, created_at, total, created, updated, failed } = data;
  return (
    <RecordPage title={`Import of ${title.toLowerCase()}`} back={back}>
      <Facts>
        <Fact name="File">{file_name || 'Sent by an API key'}</Fact>
        <Fact name="Imported by">{author_name}</Fact>
        <Fact name="Imported">
          <Time at={created_at} form="moment" />
        </Fact>
        <Fact name="Rows">{number(total)}</Fact>
        <Fact name="New">{number(created)}</Fact>
        <Fact name="Updated">{number(updated)}</Fact>
        <Fact name="Refused">{number(failed)}</Fact>
      </Facts>
      <ImportHistory import_id={data.import_id} />
    </RecordPage>
  );
}
