export { createArticle } from './articles.ts';
export { createCategory } from './categories.ts';
export { KbArticle, KbCategory } from './entities.ts';
export { ReadArticles, WriteArticles } from './permissions.ts';
