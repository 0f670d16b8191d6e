import type { StepFiles } from '../../src/flows/step/step-files.ts'

interface PaperStep {
  readonly inputs: { readonly data: unknown }
  readonly files: StepFiles
}

const data = { title: 'Data', type: 'data' }

/** A plugin for the stories of files: components that read one, write one for each text, and write one and fail. */
function paper(context: { component(definition: object): void }): void {
  const common = { effects: 'external', inputs: { data }, outputs: { data }, retry: { attempts: 1 } }
  context.component({
    ...common,
    type: 'read-paper',
    title: 'Read paper',
    run: async ({ inputs, files }: PaperStep) => {
      const [{ file }] = [inputs.data].flat() as [{ file: string }]
      const opened = await files.open(file)
      return { data: { text: String(Buffer.from(await opened.bytes(1_000_000))), file: opened.value } }
    }
  })
  context.component({
    ...common,
    type: 'write-paper',
    title: 'Write paper',
    run: async ({ inputs, files }: PaperStep) => {
      const about = { filename: 'paper.txt', contentType: 'text/plain' }
      const write = (text: unknown) => files.create(Buffer.from(String(text)), about)
      return {
        data: await (Array.isArray(inputs.data) ? Promise.all(inputs.data.map(write)) : write(inputs.data))
      }
    }
  })
  context.component({
    ...common,
    type: 'tear-paper',
    title: 'Tear paper',
    run: async ({ files }: PaperStep) => {
      await files.create(Buffer.from('torn'), { filename: 'torn.txt', contentType: 'text/plain' })
      throw Object.assign(new Error('It is torn.'), { retryable: false })
    }
  })
}

/** Shared: it registers in the root, so that flows in every context see it. */
export default Object.assign(paper, { [Symbol.for('skip-override')]: true })
