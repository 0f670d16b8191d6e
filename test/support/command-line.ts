import { join } from 'node:path'
import { Readable } from 'node:stream'
import { isRemote } from '../../src/cli/command.ts'
import { readCommand } from '../../src/cli/read-command.ts'
import type { Output } from '../../src/cli/remote/outside.ts'
import { runRemote } from '../../src/cli/remote/run-remote.ts'
import { cleanUp, type Lifetime } from './clean-up.ts'
import { eventually } from './eventually.ts'

interface TerminalOptions {
  readonly env?: Readonly<Record<string, string>>
  /** Of a terminal that somebody sits at; absent is a pipe. */
  readonly columns?: number
  readonly input?: string
}

export interface Printed {
  readonly code: number
  readonly out: string
  readonly err: string
}

/** `millrace …` of those commands that speak to a service, in this process. */
export class CommandLine {
  readonly folder: string
  readonly #test: Lifetime
  readonly #env: Readonly<Record<string, string>>

  /** What it keeps is in the folder. */
  constructor(test: Lifetime, folder: string, env: Readonly<Record<string, string>> = {}) {
    this.folder = folder
    this.#test = test
    this.#env = env
  }

  async run(args: readonly string[], options: TerminalOptions = {}): Promise<Printed> {
    const { code, text } = this.start(args, options)
    return { code: await code, ...text }
  }

  /** One that goes on until it is ended. */
  start(args: readonly string[], { env = {}, columns, input = '' }: TerminalOptions = {}) {
    const command = readCommand(args)
    if (!isRemote(command)) throw new Error(`${command.name} speaks to no service`)
    const text = { out: '', err: '' }
    const stop = new AbortController()
    cleanUp(this.#test, () => stop.abort())
    const terminal = columns === undefined ? {} : { isTTY: true, columns }
    const to = (name: 'out' | 'err'): Output => ({
      ...terminal,
      write: (piece) => {
        text[name] += piece
      }
    })
    const code = runRemote(command, {
      env: { XDG_CONFIG_HOME: join(this.folder, 'config'), ...this.#env, ...env },
      platform: process.platform,
      home: this.folder,
      folder: this.folder,
      input: Readable.from(input === '' ? [] : [Buffer.from(input)]),
      output: to('out'),
      notes: to('err'),
      now: Date.now,
      signal: stop.signal
    })
    return {
      text,
      code,
      /** As soon as it has printed what is looked for. */
      printed: (pattern: RegExp) =>
        eventually(
          () => text.out + text.err,
          (all) => pattern.test(all)
        ),
      end: () => {
        stop.abort()
        return code
      }
    }
  }
}
