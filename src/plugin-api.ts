/** What authors of components and plugins can use. Built-in components see nothing else. It stands on engine/, flows/ and contexts/. */

export { share } from './contexts/share-plugin.ts'
export { inField, inFieldTurns, scopeOf, type TemplateScope } from './engine/field-scope.ts'
export { type GivenBytes, givenBytes, readBytes } from './engine/given-bytes.ts'
export { megabytes, outputTooLarge } from './engine/output-limit.ts'
export { malformedAnswer, reachError } from './engine/reach-error.ts'
export { SESSION_FIELD, sessionFaults, sessionName, sessionTemplate } from './engine/session-name.ts'
export { boundedWords, StepError, type StepErrorOptions } from './engine/step-error.ts'
export { charsetInside } from './flows/charset-inside.ts'
export { didYouMean } from './flows/closest-name.ts'
export type {
  AnyComponent,
  ComponentDefinition,
  Field,
  FieldFault,
  Fields,
  FieldValues,
  InputValues,
  Message,
  NumberField,
  OutputLimit,
  OutputValues,
  RegionPorts,
  RequestFacts,
  RetryPolicy,
  RowColumn,
  RowsField,
  RunView,
  Step
} from './flows/component/component.ts'
export type { Port, Ports, PortType } from './flows/component/ports.ts'
export type {
  LiveNode,
  RunTrigger,
  StartedTrigger,
  StartRunOptions,
  StopTrigger
} from './flows/component/trigger.ts'
export { originFault } from './flows/cors-origins.ts'
export { addTo, daysIn, difference, endOf, startOf, UNITS, type Unit } from './flows/date/calendar.ts'
export { dateFormat, formatFault, isoDate, namesOf, tokensOf } from './flows/date/date-format.ts'
export { momentAt, offsetOf, type WallTime, ZONE_HELP, type Zone, zoneNamed } from './flows/date/zone.ts'
export { DURATION_HELP, readDuration } from './flows/duration.ts'
export { asFile, type FileValue } from './flows/file-value.ts'
export { includesText, indexOfText } from './flows/find-text.ts'
export { isColour as isFormColour, isPicture as isFormPicture, thanksFault } from './flows/form/form.ts'
export { formFieldFaults, readFormFields } from './flows/form/form-fields.ts'
export { isReferenceName } from './flows/graph/run-references.ts'
export { atOnce, inTurns, type Turns } from './flows/in-turns.ts'
export { BoundedText, TextTooLong, writeJsonTo } from './flows/json/bounded-text.ts'
export {
  ExactNumber,
  isPlainObject,
  type JsonValue,
  parseJson,
  writeJson
} from './flows/json/exact-json.ts'
export { parseJsonInTurns } from './flows/json/parse-json-in-turns.ts'
export { inStretches, makeInTurns, TURN_WORK, WorkMeter, workOf } from './flows/json/work-meter.ts'
export { MESSAGE_HEADERS } from './flows/message-headers.ts'
export { isGoodKey, keyTextOf, SIGNATURE_VERSION, signedBeginning } from './flows/standard-webhooks.ts'
export type {
  ApiBody,
  ApiOperation,
  ApiParameter,
  ShortSchema,
  ValueStyle
} from './flows/step/api-operation.ts'
export { answerFault, answerNameFault, type StepAnswer, statusFault } from './flows/step/step-answer.ts'
export type { AskedCall, KnownCall, StepCalls, ToldCall } from './flows/step/step-calls.ts'
export type { Carried } from './flows/step/step-carried.ts'
export type {
  ChildResult,
  ChildRuns,
  FlowFacts,
  ItemRules,
  Round,
  StartedItems
} from './flows/step/step-children.ts'
export type { Circuit, Verdict } from './flows/step/step-circuit.ts'
export type {
  Computation,
  ComputationFailure,
  ComputationFault,
  Compute,
  Computed
} from './flows/step/step-compute.ts'
export type {
  ConnectionResource,
  GuardsStreams,
  IncomingAnswer,
  OpenConnection,
  OutgoingRequest,
  SendRequest,
  StreamedBody
} from './flows/step/step-connection.ts'
export type {
  DocumentFault,
  DocumentResult,
  DocumentTask,
  GivenDocument,
  ReadDocuments
} from './flows/step/step-documents.ts'
export type { OpenFile, StepFiles } from './flows/step/step-files.ts'
export type { KeptFor, KeptValues } from './flows/step/step-kept.ts'
export type {
  EmbeddingUsage,
  Knowledge,
  KnowledgeMatch,
  KnowledgeQuestion,
  SearchMode,
  WrittenText
} from './flows/step/step-knowledge.ts'
export type { LogLevel, StepLog } from './flows/step/step-log.ts'
export type { AskedWait, StepWait, WaitKind, Woken } from './flows/step/step-wait.ts'
export { compilePath, pathFault, type ValuePath } from './flows/template/compile-path.ts'
export { compileTemplate, type Template } from './flows/template/compile-template.ts'
export { plainWords } from './flows/template/plain-words.ts'
export { renderForPeople } from './flows/template/render-for-people.ts'
export { TemplateError } from './flows/template/template-error.ts'
export { templateFault } from './flows/template/template-fault.ts'
export { compileTemplateTree, type TemplateTree, templateTreeFaults } from './flows/template/template-tree.ts'
export { type OfferedTool, type ToolCall, toolName, type WiredTool } from './flows/tools/tool.ts'
export { HANDSHAKES, WEBHOOK_AUTHS } from './flows/webhook-auth.ts'
export { WEBHOOK_METHODS } from './flows/webhook-methods.ts'
export {
  HMAC_ALGORITHMS,
  HMAC_ENCODINGS,
  isHeaderName,
  readSignedText,
  SIGNATURE_SCHEMES
} from './flows/webhook-signatures.ts'

import type { ComponentDefinition, Fields } from './flows/component/component.ts'
import type { Ports } from './flows/component/ports.ts'

/** Gives a definition its types: `run` gets the inputs and fields that the definition names. */
export function defineComponent<
  const F extends Fields = Record<never, never>,
  const I extends Ports = Record<never, never>,
  const O extends Ports = Record<never, never>,
  P = undefined,
  R = undefined
>(definition: ComponentDefinition<F, I, O, P, R>): ComponentDefinition<F, I, O, P, R> {
  return definition
}
