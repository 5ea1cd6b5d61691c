export { MessageItem } from './chat-list.ts';
export { chatStatuses, Chat, ChatMessage } from './entities.ts';
export { endForVisitors, handOverVisitor, readAsVisitor, sayAsVisitor } from './visitors.ts';
