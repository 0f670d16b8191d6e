import type { AnyComponent } from '../plugin-api.ts'
import { chatInput } from './chat-input.ts'
import { chatOutput } from './chat-output.ts'
import { code } from './code/code.ts'
import { transform } from './code/transform.ts'
import { dataComponents } from './data/data-components.ts'
import { form } from './form/form.ts'
import { apiRequest } from './http/api-request.ts'
import { apiOperation } from './http/operation/api-operation.ts'
import { respond } from './http/respond.ts'
import { sendWebhook } from './http/send-webhook.ts'
import { keep } from './keep.ts'
import { knowledgeSearch } from './knowledge/knowledge-search.ts'
import { knowledgeWrite } from './knowledge/knowledge-write.ts'
import { agent } from './language-model/agent/agent.ts'
import { languageModel } from './language-model/language-model.ts'
import { forEach } from './logic/for-each.ts'
import { ifElse } from './logic/if-else.ts'
import { merge } from './logic/merge.ts'
import { repeat } from './logic/repeat.ts'
import { returnValue } from './logic/return.ts'
import { runFlow } from './logic/run-flow.ts'
import { stop } from './logic/stop.ts'
import { switchCase } from './logic/switch.ts'
import { mcpCall } from './mcp/mcp-call.ts'
import { mcpTools } from './mcp/mcp-tools.ts'
import { parser } from './parser.ts'
import { placeholder } from './placeholder.ts'
import { prompt } from './prompt.ts'
import { runFailed } from './run-failed.ts'
import { schedule } from './schedule/schedule.ts'
import { watch } from './schedule/watch.ts'
import { sendEmail } from './send-email/send-email.ts'
import { sql } from './sql/sql.ts'
import { approve } from './waiting/approve.ts'
import { delay } from './waiting/delay.ts'
import { waitForCall } from './waiting/wait-for-call.ts'
import { webhook } from './webhook/webhook.ts'

/** What every flow can use: registered in the root context, by the same call that a plugin makes. */
export const builtInComponents: readonly AnyComponent[] = [
  webhook,
  form,
  parser,
  prompt,
  chatInput,
  schedule,
  runFailed,
  watch,
  chatOutput,
  apiRequest,
  apiOperation,
  respond,
  languageModel,
  knowledgeWrite,
  knowledgeSearch,
  agent,
  mcpTools,
  mcpCall,
  sql,
  sendEmail,
  sendWebhook,
  keep,
  code,
  transform,
  ...dataComponents,
  ifElse,
  switchCase,
  merge,
  forEach,
  repeat,
  runFlow,
  stop,
  returnValue,
  placeholder,
  delay,
  waitForCall,
  approve
]
