// The tables of the module kb.
import { z } from 'zod';
import { migration } from '../packages/database/migration/migrate.ts';
import { flag, id, int, json, key, ref, text, when } from '../packages/database/schema/table.ts';

export default migration('1763600000006-kb', async (m) => {
  await m.createTable(
    'kb_category',
    {
      category_id: id(),
      name: text(255),
      name_key: key().unique(),
      description: text(),
      parent_id: int().nullable(),
      sort_order: int().default(0),
      created_at: when(),
      updated_at: when(),
    },
    [['sort_order', 'name']],
  );
  await m.createTable(
    'kb_article',
    {
      article_id: id(),
      title: text(255),
      content: text(),
      excerpt: text(300),
      category_id: ref('kb_category.category_id').nullable(),
      visibility: text(40),
      tags: json(z.unknown()),
      author_name: text(255),
      company_number: ref('company.company_number').nullable(),
      views: int().default(0),
      version: int().default(1),
      created_at: when(),
      updated_at: when(),
      deleted_at: when().nullable(),
    },
    [
      ['created_at', 'article_id'],
      ['category_id', 'created_at', 'article_id'],
      ['visibility', 'created_at', 'article_id'],
      ['company_number', 'created_at', 'article_id'],
    ],
  );
  await m.createTable('kb_related', {
    article_id: ref('kb_article.article_id').primary(),
    entity_type: text(40).primary(),
    entity_id: int().primary(),
    position: int(),
  });
  await m.createTable(
    'kb_version',
    {
      version_id: id(),
      article_id: ref('kb_article.article_id'),
      version: int(),
      title: text(255),
      content: text(),
      author_name: text(255),
      created_at: when(),
    },
    [],
    { unique: [['article_id', 'version']] },
  );
  await m.createTable(
    'kb_feedback',
    {
      article_id: ref('kb_article.article_id').primary(),
      employee_number: ref('employee.employee_number').primary(),
      helpful: flag(),
      created_at: when(),
    },
    [['article_id', 'helpful']],
  );
});
