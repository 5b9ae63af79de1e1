/** The workflow language: reading and writing workflow files, conditions, function arguments, and planning an import. */
export {
  evaluateCondition,
  type ConditionInputs,
  type ConditionPart,
  type Verdict,
} from './conditions/evaluate-condition.ts';
export { readCondition, type Condition } from './conditions/read-condition.ts';
export {
  callbackDefaults,
  callbackFields,
  movers,
  WorkflowFile,
  type Definition,
  type DefinitionCallback,
  type StateLook,
} from './file/definition.ts';
export {
  fieldReadsOf,
  valueReadsOf,
  type ObjectField,
  type ValuePath,
  type ValueRead,
} from './conditions/value-paths.ts';
export { checkConfiguration, type ConfigurationReading } from './configuration/check-configuration.ts';
export {
  ConfigDefinition,
  namesIn,
  type ExternalSystemEntry,
  type RoleEntry,
  type ScantypeEntry,
  type UserEntry,
} from './configuration/configuration-file.ts';
export { foldName } from './configuration/fold-name.ts';
export { errorCodes, warningCodes, type FindingCode } from './file/finding-codes.ts';
export type { Findings, Warning } from './file/findings.ts';
export {
  contextOf,
  lintConfiguration,
  lintWorkflow,
  type ConfigurationContext,
  type LintFinding,
  type WorkflowContext,
} from './lint/lint-files.ts';
export { atPosition, maxIndicators, parseYaml, rejected, type YamlDocument } from './file/parse-yaml.ts';
export { countIndicators } from './file/count-indicators.ts';
export { readDefinitionFile, type DefinitionReading, type ReadDefinition } from './file/read-definition-file.ts';
export { readCallback } from './file/read-parts.ts';
export { readTextOfObject } from './file/read-values.ts';
export { unknownSystems, type SystemUse } from './file/system-warnings.ts';
export { writeDefinition } from './file/write-definition.ts';
export * from './callback-arguments.ts';
export { placeholderNames, placeholderPrefixes } from './arguments/placeholders.ts';
export { namePlan, type NamedPlan } from './plan/name-plan.ts';
export {
  definitionOf,
  planImport,
  sameCallback,
  type CurrentCallback,
  type CurrentState,
  type CurrentWorkflow,
  type ImportPlan,
  type PlannedCallback,
} from './plan/plan-import.ts';
