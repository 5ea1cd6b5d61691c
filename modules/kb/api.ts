export { answerTextOf, articlesFor, articlesForEmployee } from './answers.ts';
export { createArticle } from './articles/articles.ts';
export { createCategory } from './categories.ts';
export { KbArticle, KbCategory } from './entities.ts';
export { ReadArticles, WriteArticles } from './permissions.ts';
export { publicArticles, visibleArticles } from './visible.ts';
