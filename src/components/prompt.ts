import {
  compileTemplate,
  defineComponent,
  type FieldFault,
  type JsonValue,
  StepError,
  TemplateError,
  templateFault
} from '../plugin-api.ts'

/** Text with variables; every `{variable}` of the template is an input. */
export const prompt = defineComponent({
  type: 'prompt',
  title: 'Prompt',
  description: 'Text with variables: every {variable} of the template becomes an input.',
  category: 'Processing',
  icon: 'message-square-text',
  effects: 'pure',
  fields: {
    template: {
      kind: 'template',
      title: 'Template',
      help: 'Text with {variable} placeholders. Each one becomes an input of the node.'
    }
  },
  outputs: { prompt: { title: 'Prompt', type: 'text' } },
  inputsFromTemplate: 'template',
  check: ({ template }) => templateFaults(template),
  prepare: ({ template }) => compileTemplate(template),
  run: ({ inputs, prepared, run }) => {
    try {
      return { prompt: prepared.render(present(inputs), run.variables) }
    } catch (error) {
      if (!(error instanceof TemplateError)) throw error
      throw new StepError(`${error.message} Wire something to the input of that name.`, {
        code: error.code,
        retryable: false,
        cause: error
      })
    }
  }
})

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
