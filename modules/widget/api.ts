export { answerVisitor, type Answer } from './assistant.ts';
export { WidgetMessage, WidgetSession } from './entities.ts';
