export { answerEmployee } from './employee.ts';
export { AssistantUsage } from './entities.ts';
export { readServiceStatus } from './service-status.ts';
export { TokensPerDay } from './settings.ts';
export { answerIn, answerVisitor, asksForPerson, inEnglish, type Answer } from './visitor.ts';
export type { Turn } from './writer.ts';
