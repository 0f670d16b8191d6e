import { defineComponent, StepError } from '../plugin-api.ts'

/** Stands for a node of another tool until somebody replaces it: no flow with one can be published. */
export const placeholder = defineComponent({
  type: 'placeholder',
  title: 'Placeholder',
  description: 'Stands for an imported node that has no counterpart here, with its settings and wires.',
  category: 'Logic',
  icon: 'replace',
  keywords: ['import', 'imported', 'unknown', 'todo', 'to do'],
  example: 'A node of another tool that no component does the work of.',
  placeholder: true,
  effects: 'pure',
  fields: {
    was: { kind: 'text', title: 'Was', help: 'The node that was imported.' },
    nearest: {
      kind: 'text',
      title: 'What to do',
      help: 'What comes nearest here.',
      multiline: true
    },
    settings: { kind: 'json', title: 'Settings', help: 'As they were there.' },
    inputs: { kind: 'number', title: 'Inputs', default: 1, min: 1, max: 10, integer: true, hidden: true },
    outputs: {
      kind: 'list',
      title: 'Outputs',
      item: 'output',
      default: ['Out'],
      maxItems: 50,
      hidden: true
    }
  },
  inputsFromCount: 'inputs',
  outputsFromList: 'outputs',
  outputs: { tools: { title: 'Tools', type: 'tools', help: 'Where it was a tool of an agent.' } },
  tools: { offer: () => [] },
  check: ({ was, nearest }) => [
    {
      field: 'was',
      code: 'placeholder_left',
      message:
        `It stands for ${was === '' ? 'a node of another tool' : was}. Replace it, or remove it. ${nearest}`.trimEnd()
    }
  ],
  run: ({ fields }) => {
    throw new StepError(`This is a placeholder for ${fields.was}. Replace it: it does nothing.`, {
      code: 'placeholder_left',
      retryable: false
    })
  }
})
