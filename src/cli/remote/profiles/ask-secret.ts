import { createInterface } from 'node:readline'
import { Writable } from 'node:stream'
import { CommandError } from '../../command-error.ts'
import type { Outside } from '../outside.ts'

/** A line that is not shown while it is typed; the first line of what is piped in, where nobody types. */
export async function askSecret(question: string, { input, notes, signal }: Outside): Promise<string> {
  const isTyped = input.isTTY === true
  if (isTyped) notes.write(question)
  const output = new Writable({ write: (_chunk, _encoding, done) => done() })
  const lines = createInterface({ input, output, terminal: isTyped, signal })
  try {
    return await new Promise<string>((resolve, reject) => {
      lines.once('SIGINT', () => reject(new CommandError('Nothing is kept.')))
      lines.once('line', (line) => resolve(line.trim()))
      lines.once('close', () => resolve(''))
    })
  } finally {
    lines.close()
    if (isTyped) notes.write('\n')
  }
}
