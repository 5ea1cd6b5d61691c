export { WidgetMessage, WidgetSession } from './entities.ts';
