// Builds the whole page from entries, declarations and examples.
import { emitDeclarations, findAliased, findDeclaration, type Declaration, type Declarations } from './declarations.ts';
import { readEntry, type Entry, type Exported, type Section } from './entries.ts';
import { exampleFinder, type ExampleFinder } from './examples.ts';
import { formatSignatures } from './format.ts';
import { anchors, fenced, renderName, splitComment, type Documented } from './render.ts';
import { mentionedShapes } from './shapes.ts';

/** Core folders with an entry of their own, for uses beyond declarations. */
const subjects =
  'attachments backup database events files kit list log mail plugin record report search security surfaces'.split(' ');

const SHAPES = 'Shapes that signatures mention';
const intro = `# \`@keelson/core\`

Everything that a plugin may import, by subject: signature, meaning, and one example out of code that is compiled.
[plugins/README.md](../plugins/README.md) grows a plugin from an empty folder. This page is made by \`npm run api-docs\`;
\`npm run check\` fails when it is out of date.
`;
const aboutShapes = 'They cannot be imported: an object of this shape is what is given or answered.\n';
const aboutSystem = `What only the modules of our own administration need. Plugins may not import it: it may change with any release.\n`;

export interface ApiPage {
  readonly text: string;
  /** Exported names of each entry, one per line, for reviews. */
  readonly names: string;
  /** What is missing for an exported name, one sentence each. */
  readonly problems: readonly string[];
}

/** Builds the page. @throws Error if an entry exports an undeclared name */
export function apiPage(root: string): ApiPage {
  const paths = subjects.map((subject) => `core/${subject}/index.ts`);
  const declarations = emitDeclarations(root, ['core/index.ts', ...paths, 'core/system.ts', 'core/testing.ts']);
  const core = readEntry(root, '@keelson/core', 'core/index.ts');
  const more = subjects.map((subject, i) => readEntry(root, `@keelson/core/${subject}`, paths[i] ?? ''));
  const system = readEntry(root, '@keelson/core/system', 'core/system.ts');
  const testing = testingEntry(declarations);
  const entries = [core, ...more, system, testing];
  const exported = entries.flatMap(exportsOf);
  const exampleOf = exampleFinder(root);
  const found = exported.map((each) => documentedOf(declarations, each, exampleOf));
  const shapes = mentionedShapes(declarations, [core, ...more].flatMap(exportsOf), exported);
  const raw = [...found.map(({ signature }, i) => ({ path: exported[i]?.from, signature })), ...shapes];
  const signatures = formatSignatures(
    root,
    raw.map((each) => renamed(each, exported)),
  );
  const names = new Map(found.map((each, i) => [exported[i], { ...each, signature: signatures[i] ?? '' }]));
  const text = [
    intro,
    contents(entries),
    ...core.sections.map((each) => renderSection(each, names)),
    `## ${SHAPES}\n\n${aboutShapes}\n${fenced(signatures.slice(found.length).join('\n\n'))}`,
    ...more.flatMap(({ name, sections }) => [`# \`${name}\`\n`, ...sections.map((each) => renderSection(each, names))]),
    `# \`${system.name}\`\n\n${aboutSystem}`,
    ...system.sections.map((each) => renderSection(each, names)),
    `# \`${testing.name}\`\n`,
    ...testing.sections.map((each) => renderSection(each, names)),
  ];
  const listed = entries.flatMap((each) => [
    `${each.name}`,
    ...exportsOf(each)
      .map(({ name }) => `  ${name}`)
      .toSorted(),
  ]);
  return { text: text.join('\n'), names: `${listed.join('\n')}\n`, problems: found.flatMap(problemsOf) };
}

function problemsOf({ name, comment, example }: Documented): string[] {
  const problems: string[] = [];
  if (comment === '') problems.push(`${name} has no doc comment`);
  if (!example) problems.push(`${name} has no example: put one into scripts/api-docs/examples/`);
  return problems;
}

const exportsOf = ({ sections }: Entry): Exported[] => sections.flatMap((section) => [...section.exports]);

function renderSection(
  { title, comment, exports }: Section,
  names: ReadonlyMap<Exported | undefined, Documented>,
): string {
  const documented = exports.flatMap((each) => names.get(each) ?? []);
  return [`## ${title}\n`, ...(comment === '' ? [] : [`${comment}\n`]), ...documented.map(renderName)].join('\n');
}

/** Renames types exported under another name: `Technician` of surfaces/admin.ts is `TechnicianActor`. */
function renamed(
  { path, signature }: { path: string | undefined; signature: string },
  exported: readonly Exported[],
): string {
  const others = exported.filter(({ from, name, original }) => from === path && name !== original);
  return others.reduce(
    (text, { name, original }) => text.replace(new RegExp(`\\b${original}\\b`, 'g'), name),
    signature,
  );
}

function documentedOf(
  all: Declarations,
  { name, original, from, comment }: Exported,
  exampleOf: ExampleFinder,
): Documented {
  const found: (Declaration & { path: string }) | undefined = from.startsWith('core/')
    ? findDeclaration(all, from, original)
    : { name, path: from, exported: true, signature: `const ${name}: typeof import('${from}').${original};`, comment };
  if (!found) throw new Error(`${name} is not declared in ${from}`);
  const said = splitComment(found.comment).example;
  const isType = /^(?:interface|type) /.test(found.signature);
  const example = said === undefined ? exampleOf(name, isType) : { path: undefined, code: said };
  const aliased = findAliased(all, found);
  const signature = aliased ? `${found.signature}\n${aliased.signature}` : found.signature;
  return { name, signature, comment: found.comment, example };
}

/** Builds the entry of testing.ts, which declares its exports except for re-exports. */
function testingEntry(all: Declarations): Entry {
  const path = 'core/testing.ts';
  const file = all.get(path);
  const declared = [...(file?.declared.values() ?? [])].filter((each) => each.exported).map((each) => each.name);
  const exports = [...declared, ...(file?.reExported ?? [])].map((name) => ({
    name,
    original: name,
    from: path,
    comment: '',
  }));
  const comment = 'A whole application on a fresh database, spoken to over HTTP.';
  return { name: '@keelson/core/testing', path, sections: [{ title: 'Tests', comment, exports }] };
}

/** Renders the table of contents: each subject with its names. */
function contents(entries: readonly Entry[]): string {
  const anchorOf = anchors();
  return entries
    .flatMap(({ name, sections }, index) => {
      anchorOf(name);
      const lines = sections.map(({ title, exports }) => {
        const subject = `**[${title}](#${anchorOf(title)})**`;
        return `- ${subject}: ${exports.map((each) => `[${each.name}](#${anchorOf(each.name)})`).join(', ')}`;
      });
      if (index === 0) lines.push(`- **[${SHAPES}](#${anchorOf(SHAPES)})**`);
      return [`\`${name}\`\n`, ...lines, ''];
    })
    .join('\n');
}
