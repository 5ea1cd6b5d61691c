import {
  choice,
  counted,
  flag,
  id,
  int,
  json,
  key,
  ref,
  statistic,
  table,
  text,
  when,
  z,
  type Row,
} from '@keelson/core';
import { Company, Employee } from '@keelson/modules/directory';

/** Audience of an article (K-02): customers, technicians, or both. */
export const visibilities = ['public', 'internal', 'both'] as const;
/** Record types an article can link to (F-28). */
export const relatedTypes = ['article', 'ticket'] as const;

/** Article category (F-29). */
export const KbCategory = table(
  'kb_category',
  {
    category_id: id(),
    name: text(255),
    name_key: key().unique().hidden(),
    description: text().default(''),
    /** Parent category; null at the top level. */
    parent_id: int().nullable(),
    sort_order: int().default(0),
    created_at: when(),
    updated_at: when(),
  },
  [['sort_order', 'name']],
);
export type KbCategory = Row<typeof KbCategory>;

/** Knowledge base article (F-28). */
export const KbArticle = table(
  'kb_article',
  {
    article_id: id(),
    title: text(255),
    /** Markdown. */
    content: text(),
    excerpt: text(300),
    category_id: ref(KbCategory).nullable(),
    visibility: choice(...visibilities),
    tags: json(z.array(z.string())).default([]),
    author_name: text(255),
    /** The only company that can see it; null for all (K-04). */
    company_number: ref(Company).nullable(),
    /** Number of views by customers (K-08). */
    views: int().default(0),
    /** Number of the latest version. */
    version: int().default(1).hidden(),
    created_at: when(),
    updated_at: when(),
    deleted_at: when().nullable().hidden(),
  },
  [
    ['created_at', 'article_id'],
    ['category_id', 'created_at', 'article_id'],
    ['visibility', 'created_at', 'article_id'],
    ['company_number', 'created_at', 'article_id'],
  ],
);
export type KbArticle = Row<typeof KbArticle>;

export const KbArticleCount = counted({
  of: KbArticle,
  dimensions: ['category_id'],
  statistics: [statistic(KbCategory, 'article_count')],
});

/** Manual link of an article. */
export const KbRelated = table(
  'kb_related',
  {
    article_id: ref(KbArticle).primary(),
    entity_type: choice(...relatedTypes).primary(),
    entity_id: int().primary(),
    /** Position among the article's links. */
    position: int(),
  },
  [['entity_type', 'entity_id', 'article_id']],
);

/** Title and content of an article after each change. */
export const KbVersion = table(
  'kb_version',
  {
    version_id: id(),
    article_id: ref(KbArticle),
    version: int(),
    title: text(255),
    content: text(),
    author_name: text(255),
    created_at: when(),
  },
  [],
  { unique: [['article_id', 'version']] },
);
export type KbVersion = Row<typeof KbVersion>;

/** Feedback of an employee on an article; the latest answer counts. */
export const KbFeedback = table(
  'kb_feedback',
  {
    article_id: ref(KbArticle).primary(),
    employee_number: ref(Employee).primary(),
    helpful: flag(),
    created_at: when(),
  },
  [['article_id', 'helpful']],
);
