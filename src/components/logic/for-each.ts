import { defineComponent, StepError } from '../../plugin-api.ts'

/**
 * Runs the nodes that stand in it once for each item of a list, and brings together what came of them.
 *
 * The engine runs the inside itself, as child runs, and never calls `run`: what is thrown there tells of an engine that
 * does not know regions.
 */
export const forEach = defineComponent({
  type: 'for-each',
  title: 'For each',
  description: 'Runs the nodes inside it once for each item of a list, and gives back the results in order.',
  category: 'Logic',
  icon: 'repeat',
  keywords: [
    'loop',
    'foreach',
    'iterate',
    'iterator',
    'map',
    'repeat',
    'batch',
    'split',
    'list',
    'array',
    'fan-out'
  ],
  example: 'An order of three lines: what stands inside runs three times, and gives three results.',
  // Its own outputs follow from what its items gave; what those reach outside is theirs to say. So it has no time limit.
  effects: 'pure',
  fields: {
    concurrency: {
      kind: 'number',
      title: 'At the same time',
      help: 'How many items are worked on at once. 1: one after the other, in order.',
      default: 1,
      min: 1,
      max: 100,
      integer: true
    },
    failures: {
      kind: 'choice',
      title: 'When an item fails',
      help: 'stop: no further item begins, and the step fails. collect: the others go on, and Errors tells of those that failed.',
      choices: ['stop', 'collect'],
      default: 'stop'
    }
  },
  inputs: { items: { title: 'Items', type: 'any', help: 'A list.' } },
  outputs: {
    results: {
      title: 'Results',
      type: 'any',
      help: 'One for each item, in order; null where an item failed or gave none.'
    },
    errors: {
      title: 'Errors',
      type: 'any',
      help: 'Of the items that failed: index, code and message. Empty where none did.'
    }
  },
  region: {
    outputs: {
      item: { title: 'Item', type: 'any', help: 'The item of this turn.' },
      index: { title: 'Index', type: 'any', help: 'Its place in the list, from 0.' }
    },
    inputs: { result: { title: 'Result', type: 'any', help: 'What this item gives.' } }
  },
  run: () => {
    throw new StepError('A For each is run by the engine, and this one does not know how.', {
      code: 'region_not_run',
      retryable: false
    })
  }
})
