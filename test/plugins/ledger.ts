import { existsSync, fsyncSync, openSync, writeSync } from 'node:fs'

/**
 * A plugin for the crash drill: a component that reaches outside. Its outside is a file of lines
 * `run node attempt key begin|end`, each synced before the step goes on, so the file tells after a kill exactly
 * which effects happened. Processes that share a ledger add their name to each line. It needs nothing from Millrace
 * but the context that it is given.
 *
 * Beside it, one that fails for some texts until somebody has mended it.
 */
interface LedgerStep {
  readonly inputs: { readonly text: string }
  readonly run: { readonly id: string }
  readonly node: string
  readonly attempt: number
  readonly idempotencyKey: string
}

const LONGEST_EFFECT_MS = 8

function ledger(context: { component(definition: object): void }): void {
  const path = process.env.LEDGER_FILE
  if (path === undefined)
    throw new Error('LEDGER_FILE is not set. Name the file that the steps are written to.')
  const name = process.env.LEDGER_WRITER
  const file = openSync(path, 'a')
  const write = (line: string) => {
    writeSync(file, name === undefined ? `${line}\n` : `${line} ${name}\n`)
    fsyncSync(file)
  }
  context.component({
    type: 'ledger',
    title: 'Ledger',
    description: 'Writes to a file that it begins, takes a moment, and writes that it ends.',
    effects: 'external',
    inputs: { text: { title: 'Text', type: 'text' } },
    outputs: { text: { title: 'Text', type: 'text' } },
    run: async ({ inputs, run, node, attempt, idempotencyKey }: LedgerStep) => {
      const step = `${run.id} ${node} ${attempt} ${idempotencyKey}`
      write(`${step} begin`)
      await new Promise((resolve) => setTimeout(resolve, Math.random() * LONGEST_EFFECT_MS))
      write(`${step} end`)
      return { text: inputs.text }
    }
  })
  context.component({
    type: 'fragile',
    title: 'Fragile',
    description: 'Fails for a text that ends in "!", until the file beside the ledger is there.',
    effects: 'external',
    inputs: { text: { title: 'Text', type: 'text' } },
    outputs: { text: { title: 'Text', type: 'text' } },
    run: async ({ inputs }: LedgerStep) => {
      if (inputs.text.endsWith('!') && !existsSync(`${path}.mended`)) throw new Error('It broke.')
      return { text: inputs.text }
    }
  })
}

/** Shared: it registers in the root, so that flows in every context see it. */
export default Object.assign(ledger, { [Symbol.for('skip-override')]: true })
