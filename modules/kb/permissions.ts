import { admin } from '@keelson/core';

export const ReadArticles = admin.permission('kb:read', 'View articles and categories of the knowledge base');
export const WriteArticles = admin.permission('kb:write', 'Create and update articles and categories');
