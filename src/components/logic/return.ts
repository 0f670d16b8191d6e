import { defineComponent } from '../../plugin-api.ts'

/** What a flow gives back to who called it. */
export const returnValue = defineComponent({
  type: 'return',
  title: 'Return',
  description: 'What the flow gives back: to a Run flow, to a tool, and to who runs it by the API and waits.',
  category: 'Logic',
  icon: 'corner-down-left',
  keywords: ['output', 'result', 'reply', 'end', 'answer'],
  example: 'Gives {"price": 12} back to the flow or the program that asked for it.',
  effects: 'pure',
  inputs: { data: { title: 'Data', type: 'any' } },
  // It has no output to wire: what it got is kept with its step, and read from there as the output of the run.
  run: ({ inputs }) => ({ data: inputs.data })
})
