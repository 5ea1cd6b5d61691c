// The words of a mail: Liquid with limits, because administrators write it. It reaches no file and no object's insides.
import { Liquid } from 'liquidjs';
import { commonVariables, type MailTemplate } from './mail-template.ts';

/** What placeholders stand for: texts, or records of them (`{{ ticket.subject }}`). */
export interface Values {
  readonly [name: string]: unknown;
}

/** Subject or body as an administrator left them. */
export interface Words {
  readonly subject: string;
  readonly body: string;
}

// Without `templates` it would read files for {% include %}.
const engine = new Liquid({
  ownPropertyOnly: true,
  strictFilters: true,
  templates: Object.create(null),
  parseLimit: 70_000,
  renderLimit: 500,
  memoryLimit: 1_000_000,
});

/** Fills in the placeholders; those that nothing is given for are empty (ST-06). @throws Error for words that are no template */
export function fillIn(words: string, values: Values): string {
  return String(engine.parseAndRenderSync(words, values));
}

/**
 * What is wrong with words in which an administrator uses other variables than a mail template's, as a phrase that
 * follows a field's name: they are no template, or use a variable that is none of `known` (`ticket.subject`).
 * Undefined when they can be filled in; with `known` absent any variable will do.
 */
export function templateProblem(words: string, known?: ReadonlySet<string>): string | undefined {
  const problem = wordsProblem(words, []);
  if (problem !== undefined) return `is no template: ${problem}`;
  const used = engine.globalFullVariablesSync(engine.parse(words), { partials: false });
  const unknown = known && used.find((each) => !known.has(each));
  return unknown === undefined ? undefined : `uses {{ ${unknown} }}, which there is not`;
}

/** What is wrong with words as a template, in one sentence; undefined when they can be filled in. */
export function wordsProblem(words: string, variables: readonly string[]): string | undefined {
  try {
    fillIn(words, Object.fromEntries(variables.map((each) => [each, 'x'])));
    return undefined;
  } catch (error) {
    const [sentence = ''] = (error instanceof Error ? error.message : String(error)).split('\n');
    return sentence;
  }
}

/** Faults of the shipped words, for the boot check: they must be templates and use only what senders give. */
export function templateFaults({ key, subject, body, variables }: MailTemplate): string[] {
  const given: readonly string[] = [...commonVariables, ...variables];
  return [subject, body].flatMap((words) => {
    const problem = wordsProblem(words, given);
    if (problem !== undefined) return [`mail template ${key}: ${problem}`];
    const unknown = engine.globalVariablesSync(engine.parse(words)).filter((each) => !given.includes(each));
    return unknown.map((each) => `mail template ${key} uses ${each}, which is not one of its variables`);
  });
}
