import {
  BoundedText,
  compileTemplate,
  defineComponent,
  type FieldFault,
  inTurns,
  type JsonValue,
  outputTooLarge,
  type Step,
  StepError,
  type Template,
  TemplateError,
  TextTooLong,
  type Turns,
  templateFault
} from '../plugin-api.ts'

/** Text with variables; every `{variable}` of the template is an input. */
export const prompt = defineComponent({
  type: 'prompt',
  title: 'Prompt',
  description: 'Text with variables: every {variable} of the template becomes an input.',
  category: 'Processing',
  icon: 'message-square-text',
  keywords: ['prompt template', 'template', 'instructions', 'variables', 'text', 'compose'],
  example: 'Answer {question} with {facts}: question and facts become inputs.',
  effects: 'pure',
  fields: {
    template: {
      kind: 'template',
      title: 'Template',
      help: 'Text with {variable} placeholders. Each one becomes an input of the node.'
    }
  },
  mainFields: ['template'],
  outputs: { prompt: { title: 'Prompt', type: 'text' } },
  inputsFromTemplate: 'template',
  check: ({ template }) => templateFaults(template),
  prepare: ({ template }) => compileTemplate(template),
  run: (step) => inTurns(textOf(step), step)
})

type PromptStep = Pick<Step, 'inputs' | 'outputLimit' | 'run'> & { readonly prepared: Template }

function* textOf({ inputs, prepared, run, outputLimit }: PromptStep): Turns<{ prompt: string }> {
  const text = new BoundedText(outputLimit.bytes)
  const scope = present(inputs)
  try {
    const short = prepared.renderShort(scope, run.variables)
    if (short !== undefined) return { prompt: short }
    yield* prepared.renderTo(text, scope, run.variables)
  } catch (error) {
    if (error instanceof TextTooLong)
      throw outputTooLarge(outputLimit, { advice: 'Shorten the template or what its inputs get' })
    if (!(error instanceof TemplateError)) throw error
    throw new StepError(`${error.message} Wire something to the input of that name.`, {
      code: error.code,
      retryable: false,
      cause: error
    })
  }
  return { prompt: text.toString() }
}

/** An input whose wire carries nothing is absent, so that `{variable?}` can allow it. */
function present(inputs: Readonly<Record<string, JsonValue | undefined>>): { [key: string]: JsonValue } {
  const present = Object.entries(inputs).filter(
    (entry): entry is [string, JsonValue] => entry[1] !== undefined
  )
  return Object.fromEntries(present)
}

function templateFaults(template: string): FieldFault[] {
  const fault = templateFault(template)
  return fault === undefined ? [] : [{ field: 'template', ...fault }]
}
