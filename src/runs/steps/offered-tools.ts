import type { PlannedNode } from '../../engine/plan.ts'
import { StepError } from '../../engine/step-error.ts'
import type { Step, ToolOffer } from '../../flows/component/component.ts'
import { StepWait } from '../../flows/step/step-wait.ts'
import { plainText } from '../../flows/template/plain-words.ts'
import {
  LONGEST_TOOL_NAME,
  type OfferedTool,
  TOOL_NAME,
  TOOLS_OUTPUT,
  type WiredTool
} from '../../flows/tools/tool.ts'

/** What the step puts out, with the tools that its component offers where somebody takes those; where nobody takes anything else, they alone. */
export function withTools(node: PlannedNode, step: Step, run: () => unknown): unknown {
  const { tools } = node.component
  if (tools === undefined || !node.wiredOutputs.has(TOOLS_OUTPUT)) return run()
  if (node.wiredOutputs.size === 1) return offered(node, step, tools)
  return withOffer(node, step, tools, run())
}

async function withOffer(
  node: PlannedNode,
  step: Step,
  tools: ToolOffer,
  returned: unknown
): Promise<unknown> {
  const outputs = await returned
  if (outputs instanceof StepWait) return outputs
  return { ...(outputs as object), ...(await offered(node, step, tools)) }
}

async function offered({ id, title }: PlannedNode, step: Step, tools: ToolOffer) {
  const list = await tools.offer(step)
  const wrong = Array.isArray(list) ? list.find((tool) => !isSound(tool)) : list
  if (wrong !== undefined)
    throw new StepError(
      `${title} offers something that is no tool: ${shown(wrong)}. A tool has a name (letters, digits, _ and -, at most ${LONGEST_TOOL_NAME}), a description, and parameters (the JSON Schema of an object).`,
      { code: 'invalid_tool', retryable: false }
    )
  // No model is told what the people who look at the flow cannot see.
  const seen = ({ description }: OfferedTool) => ({ description: plainText(description) })
  return { [TOOLS_OUTPUT]: list.map((tool): WiredTool => ({ node: id, ...tool, ...seen(tool) })) }
}

const name = new RegExp(TOOL_NAME)

function isSound(tool: OfferedTool): boolean {
  return name.test(tool?.name) && typeof tool.description === 'string' && typeof tool.parameters === 'object'
}

const LONGEST_SHOWN = 200

function shown(value: unknown): string {
  return (JSON.stringify(value) ?? String(value)).slice(0, LONGEST_SHOWN)
}
