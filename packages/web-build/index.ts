// `@keelson/web-build`: bundles browser pages in a child process, and keeps the last builds.
export { buildInto, findBuild, touch, type Finished } from './build.ts';
export {
  sharedModules,
  type BuildPart,
  type MadePage,
  type Manifest,
  type PageProblem,
  type PartKind,
  type PluginWords,
  type Sources,
} from './build-input.ts';
