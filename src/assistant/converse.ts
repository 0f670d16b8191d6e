import type { ModelAnswer } from '../components/language-model/ask-model.ts'
import { sumOfCosts } from '../components/language-model/ask-model.ts'
import { CUT_CALL, type ModelCall } from '../components/language-model/called-tools.ts'
import { StepError } from '../engine/step-error.ts'
import type { Fault } from '../errors.ts'
import type { JsonValue } from '../flows/json/exact-json.ts'
import type { AssistantModel } from './ask-model.ts'
import { PROPOSE, PROPOSE_TOOL, type ToldTool } from './assistant-tools.ts'
import { argumentsOf, type CallResult, type Conversation, callInText } from './conversation.ts'
import { applyEdits, type EditedDocument, readEdits } from './flow-edits.ts'
import { LONGEST_FLOW } from './told-flow.ts'

/** So often the model is asked, and so often it is told what is wrong with a proposal. */
const MOST_ASKED = 24
const MOST_FAULTY = 5
/** In one answer; the rest of them is told to come later. */
const MOST_CALLS = 16
const MOST_FAULTS_TOLD = 20
/** In characters, of what a tool tells. */
const LONGEST_RESULT = 40_000
const LONGEST_SUMMARY = 4_000

interface Judgement {
  readonly errors: readonly Fault[]
  readonly warnings: readonly Fault[]
}

export interface Proposal extends Judgement {
  readonly document: EditedDocument
  readonly summary: string
}

export interface AssistantUsage {
  readonly calls: number
  readonly input_tokens: number
  readonly output_tokens: number
  /** In the operator's currency; null where the model has no price. */
  readonly cost: number | null
}

export interface Look {
  readonly tool: ToldTool
  /** What it is about to do, for the person. */
  readonly doing: (args: Readonly<Record<string, JsonValue>>) => string
  readonly look: (args: Readonly<Record<string, JsonValue>>) => Promise<{ text: string; isFailed: boolean }>
}

export interface Converse {
  readonly document: EditedDocument
  readonly conversation: Conversation
  readonly model: AssistantModel
  /** What it can look at. */
  readonly looks: readonly Look[]
  readonly judge: (document: EditedDocument) => Promise<Judgement & { readonly isNone?: boolean }>
  readonly doing: (what: string) => void
  /** What was said is void: another answer begins. */
  readonly restart: () => void
}

interface Ended {
  readonly text: string
  readonly proposal: Proposal | null
}

/** Asks, looks and proposes until there is something to show. What has come about stays readable whatever ends it. */
export class Converser {
  readonly #with: Converse
  #document: EditedDocument
  #faulty = 0
  #asked: ModelAnswer[] = []
  #isNudged = false
  proposal: Proposal | null = null

  constructor(converse: Converse) {
    this.#with = converse
    this.#document = converse.document
  }

  get usage(): AssistantUsage {
    const sum = (name: 'input_tokens' | 'output_tokens') =>
      this.#asked.reduce((total, answer) => total + answer[name], 0)
    return {
      calls: this.#asked.length,
      input_tokens: sum('input_tokens'),
      output_tokens: sum('output_tokens'),
      cost: sumOfCosts(this.#asked)
    }
  }

  async run(): Promise<Ended> {
    const { conversation, model, looks, doing, restart } = this.#with
    const tools = [PROPOSE_TOOL, ...looks.map(({ tool }) => tool)]
    for (let at = 0; at < MOST_ASKED; at++) {
      if (conversation.isTooLong) throw tooLong()
      if (at > 0) restart()
      doing(at === 0 ? 'Asks the model' : 'Asks the model again')
      const answer = await model.ask(conversation.prompt, tools)
      this.#asked.push(answer)
      const ended = await this.#take(answer)
      if (ended !== undefined) return ended
    }
    if (this.proposal !== null) return { text: '', proposal: this.proposal }
    throw tooManySteps()
  }

  async #take(answer: ModelAnswer): Promise<Ended | undefined> {
    const { conversation } = this.#with
    const calls = answer.calls.slice(0, MOST_CALLS)
    if (calls.length === 0) return this.#takeText(answer)
    const results: CallResult[] = []
    for (const call of calls) results.push({ call, ...(await this.#call(call)) })
    const isDone = results.some(({ call, isFailed }) => call.name === PROPOSE && !isFailed)
    if (isDone || this.#faulty >= MOST_FAULTY) return { text: answer.text, proposal: this.proposal }
    conversation.answered({ text: answer.text, calls }, results)
    return undefined
  }

  async #takeText(answer: ModelAnswer): Promise<Ended | undefined> {
    const { conversation } = this.#with
    const written = callInText(answer.text)
    if (written !== undefined) {
      const { text, isFailed } = await this.#propose(written)
      if (!isFailed || this.#faulty >= MOST_FAULTY) return { text: '', proposal: this.proposal }
      conversation.answered({ text: answer.text, calls: [] }, [])
      conversation.say(text)
      return undefined
    }
    const isCut = answer.finish === 'length'
    if (answer.text.trim() !== '' && !isCut) return { text: answer.text, proposal: this.proposal }
    if (this.#isNudged) throw noAnswer()
    this.#isNudged = true
    conversation.answered({ text: answer.text, calls: [] }, [])
    conversation.say(
      isCut
        ? `Your answer was cut off. Call ${PROPOSE} with a part of the changes at a time.`
        : `You have said nothing. Call ${PROPOSE}, or say what you need to know.`
    )
    return undefined
  }

  async #call({ name, input, isCut }: ModelCall): Promise<Omit<CallResult, 'call'>> {
    if (isCut === true) return failed(CUT_CALL)
    const args = argumentsOf(input)
    if (args === undefined) return failed('The arguments are not a JSON object. Call it again with one.')
    if (name === PROPOSE) return this.#propose(args)
    const { looks, doing } = this.#with
    const found = looks.find(({ tool }) => tool.name === name)
    if (found === undefined) {
      const known = [PROPOSE, ...looks.map(({ tool }) => tool.name)].join(', ')
      return failed(`There is no tool "${name.slice(0, 100)}". The tools are: ${known}.`)
    }
    doing(found.doing(args))
    const { text, isFailed } = await found.look(args)
    const more = text.length - LONGEST_RESULT
    return { text: more > 0 ? `${text.slice(0, LONGEST_RESULT)}… (${more} more)` : text, isFailed }
  }

  async #propose(args: JsonValue): Promise<Omit<CallResult, 'call'>> {
    const { judge, doing } = this.#with
    doing('Checks what the model proposes')
    const edits = readEdits(args)
    if (typeof edits === 'string') return this.#refuse(edits)
    const { document, wrong } = applyEdits(this.#document, edits, this.#with.document)
    if (JSON.stringify(document).length > 5 * LONGEST_FLOW) return this.#refuse('The flow gets too large.')
    const judged = await judge(document)
    if (judged.isNone === true) return this.#refuse(inWords(judged.errors))
    this.#document = document
    const summary = edits.summary.slice(0, LONGEST_SUMMARY) || (this.proposal?.summary ?? '')
    this.proposal = { document, summary, errors: judged.errors, warnings: judged.warnings }
    if (judged.errors.length === 0 && wrong.length === 0) return { text: 'All is well.', isFailed: false }
    if (judged.errors.length > 0) doing(`Tells the model what is wrong with it (${judged.errors.length})`)
    return this.#refuse([...wrong, inWords(judged.errors)].join('\n'))
  }

  #refuse(why: string): Omit<CallResult, 'call'> {
    this.#faulty++
    return failed(why)
  }
}

function failed(text: string): Omit<CallResult, 'call'> {
  return { text, isFailed: true }
}

function inWords(faults: readonly Fault[]): string {
  const told = faults.slice(0, MOST_FAULTS_TOLD).map(({ message, path, node }) => {
    return `- ${node === undefined ? path : `node ${node}`}: ${message}`
  })
  const more = faults.length - told.length
  return [...told, ...(more > 0 ? [`and ${more} more`] : [])].join('\n')
}

function tooLong(): StepError {
  return new StepError(
    'The model has looked at more than can be sent to it at once. Ask for less, or name the nodes that it is about.',
    { code: 'assistant_too_long', retryable: false }
  )
}

function tooManySteps(): StepError {
  return new StepError(
    `The model was asked ${MOST_ASKED} times and has proposed nothing. Ask for less at once, or choose a stronger model.`,
    { code: 'assistant_max_steps', retryable: false }
  )
}

function noAnswer(): StepError {
  return new StepError(
    'The model has answered with nothing, also when it was asked again. Ask in other words, or choose another model.',
    { code: 'assistant_no_answer', retryable: false }
  )
}
