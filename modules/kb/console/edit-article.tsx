// Markdown editor for articles with a preview. Unsaved text is kept as a draft.
import {
  Bones,
  editsOf,
  Failed,
  Form,
  Note,
  RecordPage,
  rawText,
  SelectField,
  TextField,
  toast,
  useChange,
  useDraft,
  useItem,
  useGo,
  type Data,
  t,
} from '@keelson/web';
import schema from 'schema:PUT /kb/articles.php?id={id}';
import { visibilities } from './look.tsx';
import { Markdown } from './markdown.tsx';

const READ = 'GET /kb/articles.php?id={id}';
const SAVE = 'PUT /kb/articles.php?id={id}';
type Article = Data<typeof READ>;
const names = ['title', 'tags', 'visibility', 'category_id'];
const choices = Object.entries(visibilities).map(([value, label]) => ({ value, label }));

export default function EditArticle({ params }: { params: { id: string } }) {
  const id = Number(params.id);
  const { data: article, error, refetch } = useItem(READ, { id });
  const back = { to: `/articles/${id}`, title: t('Back to article') };
  return (
    <RecordPage title={article ? t('Edit {title}', { title: article.title }) : t('Edit article')} back={back}>
      {error ? (
        <Failed error={error} retry={() => void refetch()} />
      ) : article ? (
        <Editor article={article} />
      ) : (
        <Bones rows={8} />
      )}
    </RecordPage>
  );
}

function Editor({ article }: { article: Article }) {
  const { article_id } = article;
  const to = `/articles/${article_id}`;
  const go = useGo();
  const [draft, setDraft] = useDraft(`article/${article_id}`);
  const { data: categories } = useItem('GET /kb/categories.php');
  const save = useChange(SAVE, {
    quiet: true,
    touches: ['/kb/'],
    done: () => {
      setDraft('');
      toast(t('Saved'));
      go(to);
    },
  });
  const submit = (given: FormData, opened: FormData) => {
    // The text may be a draft that was restored, and so be edited since before the form was opened.
    const body = { ...editsOf(given, opened, schema, names), ...(draft && { content: rawText(given, 'content') }) };
    if (Object.keys(body).length === 0) go(to);
    else save.mutate({ id: article_id, body });
  };
  return (
    <Form submit={t('Save')} busy={save.isPending} error={save.error} onCancel={() => go(to)} onSubmit={submit}>
      {draft && draft !== article.content && (
        <Note
          tone="muted"
          title={t('Your unsaved draft was restored.')}
          act={{ title: t('Discard'), run: () => setDraft('') }}
        />
      )}
      <TextField name="title" label={t('Title')} value={article.title} max={255} required />
      <Markdown
        article_id={article_id}
        text={draft || article.content}
        onType={(text) => setDraft(text === article.content ? '' : text)}
      />
      <div className="article-fields">
        <SelectField name="visibility" label={t('Visibility')} value={article.visibility} choices={choices} required />
        <SelectField
          name="category_id"
          label={t('Category')}
          value={article.category_id}
          choices={categories?.map((each) => ({ value: each.category_id, label: each.name }))}
          none={t('None')}
        />
        <TextField name="tags" label={t('Tags')} value={article.tags.join(', ')} hint={t('Separate with commas.')} />
      </div>
    </Form>
  );
}
