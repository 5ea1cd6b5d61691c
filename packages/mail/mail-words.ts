// Fills in mail templates: Liquid with limits, because administrators write them. Templates cannot access files or
// inherited properties.
import { memoize } from '@keelson/kit/memoize.ts';
import { messageOf } from '@keelson/kit/message-of.ts';
import { Liquid } from 'liquidjs';
import { commonVariables, type MailTemplate } from './mail-template.ts';

/** The values of placeholders: texts, or records of texts (`{{ ticket.subject }}`). */
export interface Values {
  readonly [name: string]: unknown;
}

/** The texts of a template. */
export interface Words {
  readonly subject: string;
  readonly body: string;
}

// `templates` keeps {% include %} from reading files.
const engine = new Liquid({
  ownPropertyOnly: true,
  strictFilters: true,
  templates: Object.create(null),
  parseLimit: 70_000,
  renderLimit: 100,
  memoryLimit: 1_000_000,
});

/** The render limit is wall time, of which a suspended process uses up only one attempt. */
const ATTEMPTS = 3;

/**
 * Fills in the placeholders; those without a value are empty (ST-06).
 * @throws Error when `words` is not a valid template
 */
export function fillIn(words: string, values: Values): string {
  const template = engine.parse(words);
  for (let attempt = 1; ; attempt++) {
    try {
      return String(engine.renderSync(template, values));
    } catch (error) {
      if (attempt === ATTEMPTS || !messageOf(error).includes('render limit exceeded')) throw error;
    }
  }
}

/**
 * Returns the problem with a text that uses other variables than a mail's, as a phrase that follows the field's name:
 * it is not a valid template, or uses a variable that is not in `known` (`ticket.subject`). Undefined when it is valid.
 * Without `known` any variable is allowed.
 */
export function templateProblem(words: string, known?: ReadonlySet<string>): string | undefined {
  const problem = wordsProblem(words, []);
  if (problem !== undefined) return `is not a valid template: ${problem}`;
  const used = engine.globalFullVariablesSync(engine.parse(words), { partials: false });
  const unknown = known && used.find((each) => !known.has(each));
  return unknown === undefined ? undefined : `uses {{ ${unknown} }}, which does not exist`;
}

/** Returns the problem with a template, in one sentence; undefined when it is valid. */
export function wordsProblem(words: string, variables: readonly string[]): string | undefined {
  try {
    fillIn(words, Object.fromEntries(variables.map((each) => [each, 'x'])));
    return undefined;
  } catch (error) {
    const [sentence = ''] = messageOf(error).split('\n');
    return sentence;
  }
}

/** Returns what is wrong with a default template at start-up: it must be valid and use only provided values. */
export const templateFaults = memoize(({ key, subject, body, variables }: MailTemplate): readonly string[] => {
  const given: readonly string[] = [...commonVariables, ...variables];
  return [subject, body].flatMap((words) => {
    const problem = wordsProblem(words, given);
    if (problem !== undefined) return [`mail template ${key}: ${problem}`];
    const unknown = engine.globalVariablesSync(engine.parse(words)).filter((each) => !given.includes(each));
    return unknown.map((each) => `mail template ${key} uses ${each}, which is not one of its variables`);
  });
});
