// `@keelson/web/made`: pages made from declarations. They load with the first such page, not with the first screen.
export { listPage } from './generic/generic-list.tsx';
export { recordPage } from './generic/generic-record.tsx';
