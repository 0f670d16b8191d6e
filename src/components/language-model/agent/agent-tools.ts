import {
  inTurns,
  isPlainObject,
  type JsonValue,
  parseJson,
  type Step,
  type WiredTool
} from '../../../plugin-api.ts'
import { type CompiledSchema, compileSchema } from '../../schema/compile-schema.ts'
import { CUT_CALL, type ModelCall } from '../called-tools.ts'

/** More than any model chooses well among, and their descriptions are sent each time. */
const MOST_TOOLS = 512

export interface AgentTool {
  /** As the model calls it: no two tools of an agent have one name. */
  readonly name: string
  readonly tool: WiredTool
}

/** What a model asks of a tool; `wrong` where it cannot be called so, and why. */
export type JudgedCall = ModelCall & { readonly wrong?: string }

/** The same, read; `wrong` is for the model. */
export type ReadCall =
  | { readonly call: ModelCall; readonly tool: AgentTool; readonly arguments: Record<string, JsonValue> }
  | { readonly call: ModelCall; readonly wrong: string }

/** The tools that an agent has, by the name that its model calls them. */
export class AgentTools {
  readonly all: readonly AgentTool[]
  readonly #byName: ReadonlyMap<string, AgentTool>
  readonly #schemas = new Map<string, CompiledSchema | null>()

  /** `wired`: what each wire brings. */
  constructor(wired: unknown) {
    const tools = new Map<string, AgentTool>()
    for (const tool of toolsIn(wired).toSorted(byOthersLast).slice(0, MOST_TOOLS)) {
      const name = freeName(tool.name, tools)
      tools.set(name, { name, tool })
    }
    this.#byName = tools
    this.all = [...tools.values()]
  }

  /** Whether it can be called so. What cannot is told to the model, which often mends it. */
  async judge(call: ModelCall, step: Pick<Step, 'pause'>): Promise<JudgedCall> {
    const tool = this.#byName.get(call.name)
    if (tool === undefined) return { ...call, wrong: this.#unknown(call) }
    if (call.isCut === true) return { ...call, wrong: CUT_CALL }
    const given = argumentsIn(call.input)
    if (given === undefined)
      return { ...call, wrong: 'The arguments are not a JSON object. Call it again with one.' }
    const faults = await this.#faults(tool, given, step)
    if (faults.length === 0) return call
    return { ...call, wrong: `The arguments do not fit the schema: ${faults.join(' ')} Correct them.` }
  }

  /** One that was judged before. */
  read(call: JudgedCall): ReadCall {
    if (call.wrong !== undefined) return { call, wrong: call.wrong }
    const tool = this.#byName.get(call.name)
    if (tool === undefined) return { call, wrong: this.#unknown(call) }
    return { call, tool, arguments: argumentsIn(call.input) ?? {} }
  }

  #unknown({ name }: ModelCall): string {
    const known = this.all.map((tool) => tool.name).join(', ') || 'none'
    return `There is no tool "${name}". The tools are: ${known}.`
  }

  async #faults(
    { name, tool }: AgentTool,
    given: Record<string, JsonValue>,
    step: Pick<Step, 'pause'>
  ): Promise<string[]> {
    const known = this.#schemas.get(name)
    const schema = known === undefined ? schemaOf(tool) : known
    this.#schemas.set(name, schema)
    if (schema === null) return []
    const faults = await inTurns(schema.judge(given, 'The arguments'), step)
    return faults.slice(0, MOST_NAMED).map(({ message }) => message)
  }
}

const MOST_NAMED = 5

/** A schema of somebody else may say what ours do not: then its owner judges. */
function schemaOf({ parameters }: WiredTool): CompiledSchema | null {
  try {
    return compileSchema(parameters as JsonValue)
  } catch {
    return null
  }
}

/** Each wire brings a list. */
function toolsIn(wired: unknown): readonly WiredTool[] {
  return (Array.isArray(wired) ? wired.flat() : []) as WiredTool[]
}

/** A server that names a tool like one of the author's must not be called in its place. */
function byOthersLast(one: WiredTool, other: WiredTool): number {
  return Number(one.by_others === true) - Number(other.by_others === true)
}

const LONGEST_NAME = 64

function freeName(name: string, taken: ReadonlyMap<string, unknown>): string {
  if (!taken.has(name)) return name
  for (let at = 2; ; at++) {
    const ending = `_${at}`
    const free = `${name.slice(0, LONGEST_NAME - ending.length)}${ending}`
    if (!taken.has(free)) return free
  }
}

/** Nothing is how some models write an empty object. */
function argumentsIn(input: string): Record<string, JsonValue> | undefined {
  if (input.trim() === '') return {}
  try {
    const value = parseJson(input)
    return isPlainObject(value) ? (value as Record<string, JsonValue>) : undefined
  } catch {
    return undefined
  }
}

/** What the model wrote, as it is shown: where it is no JSON, as the text that it is. */
export function writtenInput({ input }: ModelCall): JsonValue {
  if (input.trim() === '') return {}
  try {
    return parseJson(input)
  } catch {
    return input
  }
}
