import test from 'ava';
import core from '../../migrations/1763700000000-core.ts';
import changes from '../../migrations/1763700000011-changes.ts';
import search from '../../migrations/1763700000012-search.ts';
import files from '../../migrations/1763700000014-files.ts';
import mailAttachments from '../../migrations/1763700000021-mail-attachments.ts';
import searchBlocks from '../../migrations/1763700000024-search-blocks.ts';
import activityRecord from '../../migrations/1763700000052-activity-record.ts';
import searchFacets from '../../migrations/1763700000058-search-facets.ts';
import attachmentAuthors from '../../migrations/1763700000069-attachment-authors.ts';
import mailHeaders from '../../migrations/1763700000078-mail-headers.ts';
import answerBytes from '../../migrations/1763700000076-answer-bytes.ts';
import { schemaDrift } from '../../core/database/migrate.ts';
import { coreTables } from '../../core/process/tables.ts';
import { openTestDatabase } from '../../core/database/testing-database.ts';

test("the migrations of core's tables make what they declare", async (t) => {
  const database = await openTestDatabase(coreTables, [
    core,
    changes,
    search,
    files,
    mailAttachments,
    searchBlocks,
    activityRecord,
    searchFacets,
    answerBytes,
    attachmentAuthors,
    mailHeaders,
  ]);
  t.teardown(() => database.close());
  t.deepEqual(await schemaDrift(database), []);
});
